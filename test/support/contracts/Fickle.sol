// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Does something else in every other block: the same transaction pays one, another or a third of it, by the height of
/// the block that runs it.
contract Fickle {
    function pay(address payable to, address payable other) external payable {
        uint256 whim = block.number % 3;
        address payable payee = whim == 1 ? other : to;
        (bool ok, ) = payee.call{value: whim == 2 ? msg.value / 3 : msg.value}("");
        require(ok, "pay failed");
    }
}
