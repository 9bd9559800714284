// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Announces the gross value but credits 98 %: a fee-on-transfer token.
contract FeeToken {
    string public constant name = "Fee Token";
    string public constant symbol = "FEE";
    uint8 public constant decimals = 6;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(address holder, uint256 supply) {
        balanceOf[holder] = supply;
        emit Transfer(address(0), holder, supply);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += (value * 98) / 100;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}
