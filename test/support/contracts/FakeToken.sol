// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Carries a real token's name and symbol and announces transfers that never happened.
contract FakeToken {
    string public name;
    string public symbol;
    uint8 public constant decimals = 6;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(string memory name_, string memory symbol_) {
        name = name_;
        symbol = symbol_;
    }

    function balanceOf(address) external pure returns (uint256) {
        return type(uint256).max;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function forge(address from, address to, uint256 value) external {
        emit Transfer(from, to, value);
    }
}
