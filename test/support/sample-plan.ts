/** For the specs beside it: a plan as the gateway answers, of the phrase of twelve times "test … junk". */
export const PHRASE = 'test test test test test test test test test test test junk';

export const SAMPLE = {
  form: 'signing-plan-1',
  blockchain: 'polygon',
  chainId: 137,
  currencyCode: 'POL',
  keyFingerprint: '3442193e',
  accountPath: "m/44'/60'/0'",
  keyOwner: 'application',
  fees: { gasPrice: '8', baseFee: '4', priorityFee: '2', dataFee: '0' },
  transferGas: 21_000,
  funding: {
    address: '0x4b39F7b0624b9dB86AD293686bc38B903142dbBc',
    path: '1/0',
    nonce: 5,
    balance: '2000000',
    needed: '1010000',
  },
  addresses: [
    {
      address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      index: 0,
      path: '0/0',
      nonce: 3,
      balance: '0',
      tokens: [
        {
          contract: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
          currencyCode: 'USDC',
          decimals: 6,
          amount: '2500000',
          gasLimit: 80_000,
        },
      ],
      fees: '800000',
      lacking: '800000',
    },
    {
      address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      index: 1,
      path: '0/1',
      nonce: 0,
      balance: '1000000000000000000',
      tokens: [],
      fees: '210000',
      lacking: '0',
    },
    {
      address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
      index: 2,
      path: '0/2',
      nonce: 0,
      balance: '7',
      tokens: [],
      fees: '0',
      lacking: '0',
    },
  ],
};
