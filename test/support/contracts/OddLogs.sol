// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Logs under the topic of Transfer(address,address,uint256) whose shape is not ERC-20's.
/// Put its code at a listed token's address to see what a watcher makes of them.
contract OddLogs {
    bytes32 private constant TRANSFER = keccak256("Transfer(address,address,uint256)");

    /// Four topics and no data: the shape of an ERC-721 transfer.
    function fourTopics(address from, address to, uint256 value) external {
        bytes32 topic = TRANSFER;
        assembly {
            log4(0, 0, topic, from, to, value)
        }
    }

    /// Two topics: the recipient is in the data.
    function twoTopics(address from, address to, uint256 value) external {
        bytes memory data = abi.encode(to, value);
        bytes32 topic = TRANSFER;
        assembly {
            log2(add(data, 32), mload(data), topic, from)
        }
    }

    /// One topic: nothing is indexed.
    function oneTopic(address from, address to, uint256 value) external {
        bytes memory data = abi.encode(from, to, value);
        bytes32 topic = TRANSFER;
        assembly {
            log1(add(data, 32), mload(data), topic)
        }
    }

    /// Three topics as in ERC-20, but `data` of any length.
    function anyData(address from, address to, bytes memory data) external {
        bytes32 topic = TRANSFER;
        assembly {
            log3(add(data, 32), mload(data), topic, from, to)
        }
    }

    /// Three topics, but the address topics carry dirt above their 20 bytes.
    function dirtyTopics(bytes32 from, bytes32 to, uint256 value) external {
        bytes32 topic = TRANSFER;
        assembly {
            mstore(0, value)
            log3(0, 32, topic, from, to)
        }
    }
}
