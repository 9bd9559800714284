// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface Transferable {
    function transfer(address to, uint256 value) external returns (bool);
}

/// Several native sends and several ERC-20 transfers in one transaction.
/// Tokens are sent out of this contract's own balance; fund it first.
contract MultiSend {
    struct Send {
        /// The zero address means ether.
        address token;
        address payable to;
        uint256 value;
    }

    receive() external payable {}

    function send(Send[] calldata sends) external payable {
        for (uint256 i = 0; i < sends.length; i++) {
            Send calldata one = sends[i];
            if (one.token == address(0)) {
                (bool ok, ) = one.to.call{value: one.value}("");
                require(ok, "send failed");
            } else {
                require(Transferable(one.token).transfer(one.to, one.value), "transfer failed");
            }
        }
    }
}
