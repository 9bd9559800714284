/** SQLSTATE of a database error, or null. */
export function sqlState(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Temporary errors of the connection, the pool or an overloaded server. */
const UNAVAILABLE_SQLSTATE = /^(08|53|57P0|57014|55P03|25006|25P0[34]|40001|40P01|3D000)/;
const UNAVAILABLE_CODE = new Set(
  'ECONNREFUSED ECONNRESET ETIMEDOUT EPIPE ENOTFOUND ENOENT EAI_AGAIN EHOSTUNREACH ENETUNREACH'.split(' '),
);
/** Errors of pg and its pool that have no code. */
const UNAVAILABLE_MESSAGE =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Query read timeout|Cannot use a pool after calling end)/;

/** Whether the database is unavailable or overloaded, as opposed to refusing a statement. */
export function isTransient(error: Error): boolean {
  const code = sqlState(error);
  return (
    UNAVAILABLE_SQLSTATE.test(code ?? '') ||
    UNAVAILABLE_CODE.has(code ?? '') ||
    UNAVAILABLE_MESSAGE.test(error.message)
  );
}

/** Whether the database has refused a statement, as opposed to being unavailable. */
export function isRefused(error: unknown): boolean {
  return error instanceof Error && sqlState(error) !== null && !isTransient(error);
}

/** Data and syntax that the server does not understand (PostgreSQL, appendix A: classes 22 and 42). */
const NOT_UNDERSTOOD = /^(22|42)/;

/** Whether no other try can succeed: a statement that this server does not understand, or a mistake of the program. */
export function isDefect(error: unknown): boolean {
  const isMistake = [TypeError, ReferenceError, RangeError, SyntaxError].some(
    (kind) => error instanceof kind,
  );
  return isMistake || NOT_UNDERSTOOD.test(sqlState(error) ?? '');
}

/** SQLSTATE of a full disk, and of a read-only server or transaction. */
const REFUSES_WRITES = new Set(['53100', '25006']);

/** Whether the database refused a write that a healthy one would have accepted. */
export function refusesWrites(error: Error): boolean {
  return REFUSES_WRITES.has(sqlState(error) ?? '');
}
