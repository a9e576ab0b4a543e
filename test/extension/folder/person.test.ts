import assert from 'node:assert/strict';
import { Person } from '../../../src/extension/folder/person';
import { memory } from '../memory';

type Question = ConstructorParameters<typeof Person>[3];
type Asked = Parameters<Question>[0];

describe('the person who decides in a window', () => {
  const asked: Asked[] = [];
  beforeEach(() => asked.splice(0));
  const answering =
    (answer: string | undefined): Question =>
    (options) => {
      asked.push(options);
      return Promise.resolve(answer);
    };
  const gitSays = (name: string | null) => (): Promise<string | null> => Promise.resolve(name);

  it('is asked once, and known in the next window', async () => {
    const kept = memory();
    const person = new Person(kept, 'root', gitSays('Ada of Git'), answering(' Ada Lovelace '));
    assert.deepEqual(person.actor, { kind: 'human', name: 'root' });
    assert.deepEqual(await person.identify(), { kind: 'human', name: 'Ada Lovelace' });
    assert.deepEqual(await person.identify(), { kind: 'human', name: 'Ada Lovelace' });
    assert.equal(asked.length, 1);
    assert.equal(asked[0]?.value, 'Ada of Git');
    assert.deepEqual(new Person(kept, 'root', gitSays(null), answering('Somebody else')).actor.name, 'Ada Lovelace');
  });

  it('keeps the name that was typed when another window writes to the same memory a moment later', async () => {
    // VS Code keeps all of an extension's memory as one value: the last window to write wins.
    const overwritten = { ...memory(), get: () => undefined as never };
    const person = new Person(overwritten, 'root', gitSays(null), answering('Ada Lovelace'));
    assert.deepEqual(await person.identify(), { kind: 'human', name: 'Ada Lovelace' });
    assert.deepEqual(person.actor, { kind: 'human', name: 'Ada Lovelace' });
    await person.identify();
    assert.equal(asked.length, 1);
  });

  it('keeps the name that was typed when another window writes another name', async () => {
    const kept = memory();
    const person = new Person(kept, 'root', gitSays(null), answering('Ada Lovelace'));
    await person.identify();
    await kept.update('humanName', 'Charles Babbage');
    assert.deepEqual(person.actor, { kind: 'human', name: 'Ada Lovelace' });
  });

  it('decides nothing when the question is dismissed', async () => {
    const person = new Person(memory(), 'ada', gitSays(null), answering(undefined));
    assert.equal(await person.identify(), undefined);
    assert.equal(asked[0]?.value, 'ada');
  });

  it('has no name that stands for no person: neither typed, nor kept, nor proposed', async () => {
    const person = new Person(memory({ humanName: 'auto' }), 'nobody', gitSays(null), answering('Ada Lovelace'));
    assert.equal(person.actor.name, 'user nobody');
    await person.identify();
    assert.equal(asked[0]?.value, '');
    for (const name of ['', ' ', 'auto', 'system', 'x'.repeat(201)]) assert.ok(asked[0].refuses(name), name);
    assert.equal(asked[0].refuses('Ada'), null);
  });
});
