// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A token with a blocklist and without return values, as USDT; and with worse habits when told so.
contract OddToken {
    enum Habit {
        Quiet,
        Reverts,
        SaysNo,
        LongAnswer,
        Greedy,
        Calls,
        NoBalance,
        ShortBalance,
        TakesFee
    }

    mapping(address => uint256) private balances;
    mapping(address => bool) public frozen;
    Habit public habit;
    /// What it calls during a transfer.
    address private target;
    uint256 private value_;
    bytes private data;

    event Transfer(address indexed from, address indexed to, uint256 value);

    receive() external payable {}

    function behave(Habit habit_, address target_, uint256 value, bytes calldata data_) external {
        (habit, target, value_, data) = (habit_, target_, value, data_);
    }

    function freeze(address[] calldata who) external {
        for (uint256 i = 0; i < who.length; i++) frozen[who[i]] = true;
    }

    function mint(address[] calldata to, uint256 value) external {
        for (uint256 i = 0; i < to.length; i++) balances[to[i]] += value;
    }

    function balanceOf(address who) external view returns (uint256) {
        if (habit == Habit.NoBalance) revert("no balance");
        if (habit == Habit.ShortBalance)
            assembly {
                return(0, 31)
            }
        return balances[who];
    }

    function transfer(address to, uint256 value) external {
        require(!frozen[msg.sender], "frozen");
        if (habit == Habit.Reverts) revert("never");
        if (habit == Habit.Greedy) while (true) {}
        if (habit == Habit.SaysNo)
            assembly {
                mstore(0, 0)
                return(0, 32)
            }
        if (habit == Habit.Calls) {
            (bool ok, ) = target.call{value: value_}(data);
            require(ok, "call failed");
        }
        balances[msg.sender] -= value;
        balances[to] += habit == Habit.TakesFee ? value - value / 100 : value;
        emit Transfer(msg.sender, to, value);
        if (habit == Habit.LongAnswer)
            assembly {
                return(0, 250000)
            }
    }
}

/// Does what it is told, several calls in one transaction: a stranger's contract, or a treasury that is a contract.
contract Actor {
    receive() external payable {}

    function act(address[] calldata targets, uint256[] calldata values, bytes[] calldata datas) external payable {
        for (uint256 i = 0; i < targets.length; i++) {
            (bool ok, bytes memory answer) = targets[i].call{value: values[i]}(datas[i]);
            if (!ok)
                assembly {
                    revert(add(answer, 32), mload(answer))
                }
        }
    }
}
