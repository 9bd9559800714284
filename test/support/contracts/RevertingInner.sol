// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// The outer call succeeds although the frame that paid the target reverted: the target got nothing.
/// The paying call itself carries no error, only its ancestor does.
contract RevertingInner {
    event Survived(bool innerOk);

    function pretendToPay(address payable target) external payable {
        (bool ok, ) = address(this).call(abi.encodeCall(this.payThenRevert, (target, msg.value)));
        emit Survived(ok);
    }

    /// The same with a token of which this contract holds some.
    function pretendToPayToken(address token, address target, uint256 value) external {
        (bool ok, ) = address(this).call(abi.encodeCall(this.payTokenThenRevert, (token, target, value)));
        emit Survived(ok);
    }

    function payThenRevert(address payable target, uint256 value) external {
        (bool ok, ) = target.call{value: value}("");
        require(ok, "inner payment failed");
        revert("taken back");
    }

    function payTokenThenRevert(address token, address target, uint256 value) external {
        (bool ok, ) = token.call(abi.encodeWithSignature("transfer(address,uint256)", target, value));
        require(ok, "inner transfer failed");
        revert("taken back");
    }

    /// The whole transaction fails with the value attached.
    function fail() external payable {
        revert("failed");
    }
}
