import { randomUUID } from 'node:crypto';
import { DataSource, type Repository } from 'typeorm';
import { UserEntity } from '../src/identity/oauth/people/user.entity.js';
import { PaymentsService } from '../src/payments/payments.service.js';
import type { Sql } from '../src/platform/database/sql.js';
import { RefundRepository } from '../src/refunds/refund.repository.js';
import { WalletRepository } from '../src/wallets/wallet.repository.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

let gateway: TestGateway;
let sql: Sql;
let dataSource: DataSource;
let users: Repository<UserEntity>;

beforeAll(async () => {
  gateway = await startTestGateway();
  ({ sql } = gateway);
  dataSource = gateway.get(DataSource);
  users = dataSource.getRepository(UserEntity);
});
beforeEach(() => sql.query('delete from users'));
afterAll(() => gateway.close());

const user = (name: string) => ({
  id: randomUUID(),
  email: `${name}@example.com`,
  name,
  passwordHash: 'x',
  passwordKey: 't1',
  isOperator: false,
  createdAt: new Date(),
});
const names = async () => (await users.find({ order: { email: 'asc' } })).map(({ name }) => name);
/** On a connection of its own, as another process sees it. */
const committed = async () =>
  (await sql.queryApart<{ name: string }>('select name from users order by email')).map(({ name }) => name);

describe('a TypeORM repository in a transaction of Sql', () => {
  it('stores nothing by save() when the transaction rolls back', async () => {
    const work = sql.transaction(async () => {
      await users.save(user('a'));
      expect(await names()).toEqual(['a']);
      throw new Error('late');
    });
    await expect(work).rejects.toThrow('late');
    expect(await committed()).toEqual([]);
  });

  it('is invisible to others before the commit, and commits with the statements of the service', async () => {
    await sql.unitOfWork(async (tx) => {
      await users.save([user('a'), user('b')]);
      await tx.query(`update users set name = 'c' where name = 'b'`);
      expect(await committed()).toEqual([]);
      expect(await names()).toEqual(['a', 'c']);
    });
    expect(await committed()).toEqual(['a', 'c']);
  });

  it('rolls back only a failed manager.transaction(), as a savepoint', async () => {
    await sql.transaction(async () => {
      await users.insert(user('a'));
      const failed = dataSource.transaction(async (manager) => {
        await manager.save(UserEntity, user('b'));
        await sql.transaction(() => users.insert(user('c')));
        throw new Error('inner');
      });
      await expect(failed).rejects.toThrow('inner');
      await dataSource.transaction((manager) => manager.insert(UserEntity, user('d')));
    });
    expect(await committed()).toEqual(['a', 'd']);
  });

  it('runs savepoints that are begun together one after the other', async () => {
    const begin = (name: string) =>
      dataSource.transaction(async (manager) => {
        await manager.insert(UserEntity, user(name));
        if (name === 'b') throw new Error('b fails');
      });
    await sql.transaction(() => Promise.allSettled([begin('a'), begin('b'), begin('c')]));
    expect(await committed()).toEqual(['a', 'c']);
  });

  it('gives each of many statements that are sent together its own result', async () => {
    const all = Array.from('abcdefghij', user);
    await sql.transaction(async (tx) => {
      await Promise.all([
        ...all.map((one) => users.insert(one)),
        tx.query(
          `insert into users (id, email, password_hash, password_key) values (gen_random_uuid(), 'z@example.com', 'x', 't1')`,
        ),
      ]);
      const found = await Promise.all(all.map(({ id }) => users.findOneByOrFail({ id })));
      expect(found.map(({ name }) => name)).toEqual(Array.from('abcdefghij'));
    });
    expect(await committed()).toHaveLength(11);
  });

  it('takes no second connection from the pool', async () => {
    await sql.transaction(async () => {
      await Promise.all([users.save(user('a')), users.find(), users.count()]);
      expect(sql.connections().busy).toBe(1);
    });
  });

  it('refuses a manager of the transaction after its end', async () => {
    const runner = await sql.transaction(async () => dataSource.createQueryRunner());
    await expect(runner.manager.find(UserEntity)).rejects.toThrow('has ended');
    await runner.release();
    await expect(runner.manager.find(UserEntity)).rejects.toThrow('released');
  });

  it('refuses streams, an isolation level, and a bare startTransaction(), which cannot take part', async () => {
    await sql.transaction(async () => {
      await expect(users.createQueryBuilder('u').stream()).rejects.toThrow('stream');
      await expect(dataSource.transaction('SERIALIZABLE', () => users.find())).rejects.toThrow(
        'isolation level',
      );
      await expect(dataSource.createQueryRunner().startTransaction()).rejects.toThrow(
        'manager.transaction()',
      );
    });
  });

  it('reads the same snapshot as the statements of the service', async () => {
    await users.insert(user('a'));
    const read = await sql.snapshot(async (tx) => {
      await tx.query('select 1');
      await sql.queryApart(`update users set name = 'b'`);
      return names();
    });
    expect(read).toEqual(['a']);
  });

  it('commits by itself outside of a transaction', async () => {
    await users.save(user('a'));
    expect(await committed()).toEqual(['a']);
  });
});

describe('a row lock', () => {
  it('of a payment is refused outside of a transaction, where it would end at once', async () => {
    const lock = () => gateway.get(PaymentsService).lock(randomUUID());
    await expect(lock()).rejects.toThrow('payments can only be locked in a transaction');
    await expect(sql.transaction(lock)).rejects.toThrow('Payment not found');
  });

  it('of a refund is refused outside of a transaction', async () => {
    const lock = () => gateway.get(RefundRepository).lock(randomUUID());
    await expect(lock()).rejects.toThrow('refunds can only be locked in a transaction');
    await expect(sql.transaction(lock)).rejects.toThrow('does not exist');
  });

  it('of a wallet is refused outside of a transaction', async () => {
    const lock = () => gateway.get(WalletRepository).lockByKeyHash(Buffer.alloc(32));
    await expect(lock()).rejects.toThrow('wallets can only be locked in a transaction');
    await expect(sql.transaction(lock)).resolves.toBeNull();
  });
});
