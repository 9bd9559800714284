// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Pays by selfdestruct, which makes no call and runs no code of the recipient.
contract SelfDestructSender {
    receive() external payable {}

    function destroy(address payable target) external payable {
        selfdestruct(target);
    }
}

/// Deployed, funded and destroyed inside one transaction, by its own constructor.
contract SelfDestructInConstructor {
    constructor(address payable target) payable {
        selfdestruct(target);
    }
}
