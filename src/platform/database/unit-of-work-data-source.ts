import { DataSource, EntityManager, type QueryRunner, type ReplicationMode } from 'typeorm';
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel.js';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';
import { currentUnitOfWork, inSavepoint, type UnitOfWork } from './unit-of-work.js';

/**
 * The program's data source. Inside a transaction of {@link Sql} its repositories and managers run on the
 * transaction's own connection: what they write is committed or rolled back with the rest. Without this, TypeORM
 * takes another connection from the pool and commits on its own.
 */
export class UnitOfWorkDataSource extends DataSource {
  override createQueryRunner(mode: ReplicationMode = 'master'): QueryRunner {
    const unit = currentUnitOfWork();
    if (!unit) return super.createQueryRunner(mode);
    const runner = new JoinedQueryRunner(this.driver as PostgresDriver, unit);
    const manager = this.createEntityManager(runner);
    Object.assign(runner, { manager });
    return runner;
  }

  override createEntityManager(queryRunner?: QueryRunner): EntityManager {
    return new UnitOfWorkEntityManager(this, queryRunner);
  }
}

/** `manager.transaction()` inside a unit of work is a savepoint of it. */
class UnitOfWorkEntityManager extends EntityManager {
  override async transaction<T>(
    first: IsolationLevel | ((manager: EntityManager) => Promise<T>),
    second?: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    const unit = currentUnitOfWork();
    if (typeof first === 'string') {
      if (unit) throw new Error('a transaction inside another cannot choose its isolation level');
      if (!second) throw new Error('transaction() needs a function');
      return super.transaction(first, second);
    }
    if (!unit) return super.transaction(first);
    return inSavepoint(unit, () => first(this.dataSource.createQueryRunner().manager));
  }
}

/** Runs statements on the connection of an open transaction, which begins, ends and releases it. */
class JoinedQueryRunner extends PostgresQueryRunner {
  constructor(
    driver: PostgresDriver,
    private readonly unit: UnitOfWork,
  ) {
    super(driver, 'master');
    // So that saving several entities does not begin a transaction.
    this.isTransactionActive = true;
    this.transactionDepth = 1;
  }

  override async connect(): Promise<unknown> {
    if (this.unit.isOver()) throw new Error('the transaction of this repository or manager has ended');
    return this.unit.client;
  }

  override async release(): Promise<void> {
    this.isReleased = true;
  }

  override async startTransaction(): Promise<void> {
    throw new Error('begin a nested transaction with Sql.transaction() or manager.transaction()');
  }

  override async stream(): Promise<never> {
    throw new Error('a stream cannot take part in a transaction: its rows would outlast it');
  }
}
