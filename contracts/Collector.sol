// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Collects deposits for treasuries. It has no owner, cannot be changed, and holds nothing.
///
/// A deposit address is where this contract creates a Deposit of one treasury with one salt (CREATE2). The treasury is part
/// of the creation code, hence of the address: whoever calls, money goes to the treasury of its address, or stays.
contract Collector {
    /// Of the call in progress. Deposits read it, because an argument of theirs would change their address.
    address[] private wanted;

    /// Call from an account without code, directly, or from the treasury itself; not from within a call (Busy).
    error NotDirect();
    error Busy();
    /// Too little gas, or the salt stands twice in the list.
    error NotCreated(bytes32 salt);
    /// A token paid coins to a deposit that was already collected.
    error PaidMeanwhile(address deposit);

    /// Pays the coin and these tokens of each deposit to the treasury. What cannot be moved is left where it is.
    ///
    /// What an address received later in the same transaction would vanish with it: so nobody may do more in there, such as
    /// finish a customer's withdrawal from a bridge, nor may a token.
    function collect(address payable treasury, bytes32[] calldata salts, address[] calldata tokens) external {
        bool isDirect = msg.sender == tx.origin && msg.sender.code.length == 0;
        require(isDirect || msg.sender == treasury, NotDirect());
        require(wanted.length == 0, Busy());
        wanted = tokens;
        bytes memory code = creationCode(treasury);
        address[] memory deposits = new address[](salts.length);
        for (uint256 i = 0; i < salts.length; i++) {
            bytes32 salt = salts[i];
            address deposit;
            assembly {
                deposit := create2(0, add(code, 32), mload(code), salt)
            }
            require(deposit != address(0), NotCreated(salt));
            deposits[i] = deposit;
        }
        delete wanted;
        for (uint256 i = 0; i < deposits.length; i++)
            require(deposits[i].balance == 0, PaidMeanwhile(deposits[i]));
    }

    function tokensWanted() external view returns (address[] memory) {
        return wanted;
    }

    function depositAddress(address payable treasury, bytes32 salt) external view returns (address) {
        bytes32 hash = keccak256(creationCode(treasury));
        return address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", this, salt, hash)))));
    }

    function creationCode(address payable treasury) private pure returns (bytes memory) {
        return abi.encodePacked(type(Deposit).creationCode, abi.encode(treasury));
    }
}

/// Exists for the length of its constructor: its address has no code before and after (EIP-6780), so that it takes
/// coins sent with 21,000 gas, and can be created again.
contract Deposit {
    /// Gas of a call to a token. Without a limit, one token could use up what the others need.
    uint256 private constant CALL_GAS = 300_000;

    /// This amount is still here: the issuer froze it, or the token refuses. All bits set: the token does not say.
    event Left(address indexed token, uint256 amount);

    constructor(address payable treasury) {
        address[] memory tokens = Collector(msg.sender).tokensWanted();
        for (uint256 i = 0; i < tokens.length; i++) pay(tokens[i], treasury);
        selfdestruct(treasury); // Runs no code of the treasury, so that none can refuse.
    }

    function pay(address token, address treasury) private {
        uint256 amount = balanceOf(token);
        if (amount == 0) return;
        bytes memory transfer = abi.encodeWithSelector(0xa9059cbb, treasury, amount);
        if (amount != type(uint256).max && ask(token, transfer, 1) == 1) return; // USDT answers nothing.
        amount = balanceOf(token); // Whatever it answered.
        if (amount != 0) emit Left(token, amount);
    }

    function balanceOf(address token) private returns (uint256) {
        return ask(token, abi.encodeWithSelector(0x70a08231, this), type(uint256).max);
    }

    /// The first word of the answer; no more of it is read, however long it is. All bits set where the token fails.
    function ask(address token, bytes memory data, uint256 silence) private returns (uint256 word) {
        // The limit must be there in full: who sends too little gas fails, and cannot make it look as if a token failed.
        require(gasleft() > CALL_GAS + CALL_GAS / 32);
        assembly {
            word := not(0)
            if call(CALL_GAS, token, 0, add(data, 32), mload(data), 0, 32) {
                switch gt(returndatasize(), 31)
                case 1 { word := mload(0) }
                default { word := silence }
            }
        }
    }
}
