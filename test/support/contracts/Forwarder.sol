// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Passes received ether on by an internal call, as exchanges and smart wallets do.
contract Forwarder {
    address payable public immutable target;

    constructor(address payable target_) payable {
        target = target_;
        if (msg.value > 0) pay(target_, msg.value);
    }

    receive() external payable {
        pay(target, msg.value);
    }

    function forwardTo(address payable to) external payable {
        pay(to, msg.value);
    }

    function pay(address payable to, uint256 value) private {
        (bool ok, ) = to.call{value: value}("");
        require(ok, "forward failed");
    }
}
