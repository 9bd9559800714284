/** Block 0xbeadf0 of Polygon Amoy. */
export const POLYGON = {
  root: '0xdba45ebd3cab440eba81895a54edca391ba44f4d5c2ee8d620253ddb50cf8d73',
  transactions: [
    {
      type: '0x2',
      chainId: '0x13882',
      nonce: '0x1',
      gas: '0x8a88',
      gasPrice: '0x75cff3440',
      maxFeePerGas: '0x75cff344f',
      maxPriorityFeePerGas: '0x75cff3431',
      to: '0x7da7e6c28a71a77e3cd813869bfdea10a52f41ac',
      value: '0x0',
      input:
        '0xa9059cbb00000000000000000000000069f4cc8158d4764bb5e535ecaeca3d7246f503af0000000000000000000000000000000000000000000000000de0b6b3a7640000',
      accessList: [],
      v: '0x0',
      r: '0xdcdcfa3d8b33e32026bb2cee0b96064c58bc0db88902e45218e1ca3d8ec94f8f',
      s: '0x3b6847e88d2d27b36fa2ad92aa7e88e2cfdd1957043167bbc1ffddfa881aab31',
      yParity: '0x0',
      hash: '0x17aded8b1eb024857a51113f1da551dd19ee7e1d54f91aa94ee6790e224c81cf',
    },
    {
      type: '0x2',
      chainId: '0x13882',
      nonce: '0x107',
      gas: '0x13fec',
      gasPrice: '0x6c67ec30f',
      maxFeePerGas: '0x6c67ec315',
      maxPriorityFeePerGas: '0x6c67ec300',
      to: '0xdae0a2bd88d31351490de53a93a42121cb821494',
      value: '0x0',
      input:
        '0xa9059cbb0000000000000000000000001a8725f9a4295bb3b4e5321ecb2c9185004fc76f00000000000000000000000000000000000000000000000107ad8f556c6c0000',
      accessList: [],
      v: '0x0',
      r: '0xbc2011849ec72b1def7673fc70f06a9fe4d10e0d0fd8e71580a96bf835452fb0',
      s: '0x440c58a1b0794abc10ce81434203c5c113f6cfb405505b67b765cafa8adf1c51',
      yParity: '0x0',
      hash: '0xb4b02840c648e32eb4d27467639f47b4503cafe2b7f48f366f85f7202ec908f8',
    },
  ] as Record<string, unknown>[],
};
