import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, mock } from 'node:test'
import { Authenticator, type Signing } from '../../../test/authenticator.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { openStore } from '../../store/store.ts'
import { proofTables } from '../../store/tables/proof-tables.ts'
import { PersonProof, type ProofLimits } from './person-proof.ts'
import type { TerminalProcess } from './tickets.ts'

const origin = 'http://localhost:4173'
const terminal: TerminalProcess = { pid: 7, startedAt: '100', terminal: '34816', session: 5 }
const decision = { route: 'answer', question: 'q1', key: 'act', input: { choice: 'once' } }

function opened(limits: ProofLimits = {}, at?: string) {
  const folder = at === undefined ? temporaryFolder() : undefined
  const path = at ?? folder?.path ?? ''
  const store = openStore({ path: join(path, 'state.sqlite'), rooms: [proofTables] })
  const recorded: string[] = []
  let grantsEnded = 0
  const proofs = new PersonProof(store, {
    file: join(path, 'proof.json'),
    record: async (outcome, why) => void recorded.push(`${outcome}: ${why}`),
    endGrants: async () => {
      grantsEnded += 1
    },
    limits,
  })
  return {
    path,
    file: join(path, 'proof.json'),
    store,
    proofs,
    recorded,
    get grantsEnded() {
      return grantsEnded
    },
    async [Symbol.asyncDispose]() {
      await store.close()
      folder?.[Symbol.dispose]()
    },
  }
}

function later<Result>(ms: number, run: () => Result): Result {
  mock.timers.enable({ apis: ['Date'], now: Date.now() + ms })
  try {
    return run()
  } finally {
    mock.timers.reset()
  }
}

describe('PersonProof.enterPin', () => {
  it('the right PIN opens exactly one process in one terminal, for 15 minutes', async () => {
    await using at = opened()
    await at.proofs.setPin('739154')
    assert.equal(at.proofs.hasTicket(terminal), false)
    await at.proofs.enterPin('739154', terminal)
    assert.equal(at.proofs.hasTicket(terminal), true)
    for (const other of [{ pid: 8 }, { startedAt: '101' }, { terminal: '34817' }, { session: 6 }]) {
      assert.equal(at.proofs.hasTicket({ ...terminal, ...other }), false, JSON.stringify(other))
    }
    later(15 * 60_000, () => assert.equal(at.proofs.hasTicket(terminal), false))
  })

  it('gives few tries, then a wait that a restart does not shorten and that doubles', async () => {
    using folder = temporaryFolder()
    {
      await using at = opened({}, folder.path)
      await at.proofs.setPin('739154')
      for (let left = 4; left > 0; left--) {
        await assert.rejects(at.proofs.enterPin('000000', terminal), new RegExp(`${left} more can be tried`))
      }
      await assert.rejects(at.proofs.enterPin('000000', terminal), /Too many wrong PINs/)
      assert.match(at.recorded.at(-1) ?? '', /^proof refused: too many wrong PINs/)
    }
    await using again = opened({}, folder.path)
    await assert.rejects(again.proofs.enterPin('739154', terminal), /Too many wrong PINs/)
    assert.equal(again.proofs.hasTicket(terminal), false)
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 15 * 60_000 + 1 })
    try {
      await assert.rejects(again.proofs.enterPin('111111', terminal), /Too many wrong PINs/)
      assert.ok((again.proofs.waitUntil ?? 0) > Date.now() + 29 * 60_000)
      mock.timers.setTime(Date.now() + 30 * 60_000 + 1)
      await again.proofs.enterPin('739154', terminal)
      assert.equal(again.proofs.waitUntil, undefined)
    } finally {
      mock.timers.reset()
    }
  })

  it('counts tries that come at the same time', async () => {
    await using at = opened({ maxTries: 2 })
    await at.proofs.setPin('739154')
    const tries = ['111111', '222222', '739154'].map((pin) => at.proofs.enterPin(pin, terminal))
    const settled = await Promise.allSettled(tries)
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['rejected', 'rejected', 'rejected'],
    )
  })

  it('ends the oldest ticket beyond the limit', async () => {
    await using at = opened({ maxTickets: 1 })
    await at.proofs.setPin('739154')
    await at.proofs.enterPin('739154', terminal)
    await at.proofs.enterPin('739154', { ...terminal, pid: 8 })
    assert.equal(at.proofs.hasTicket(terminal), false)
    assert.equal(at.proofs.hasTicket({ ...terminal, pid: 8 }), true)
  })

  it('keeps no PIN, only a salted hash with its parameters', async () => {
    await using at = opened()
    await at.proofs.setPin('739154')
    const { record } = at.store.database.prepare('SELECT record FROM proof_enrolment').get() ?? {}
    const { pin } = JSON.parse(String(record))
    assert.deepEqual(Object.keys(pin).sort(), ['blockSize', 'cost', 'hash', 'parallelization', 'salt'])
    assert.equal(pin.cost, 65_536)
    assert.doesNotMatch(String(record), /739154/)
    await assert.rejects(at.proofs.setPin('12345'), /it needs 6 to 128 characters/)
  })
})

describe('PersonProof.checkSigned', () => {
  async function withPasskey(limits?: ProofLimits, algorithm: -7 | -8 | -257 = -7) {
    const at = opened(limits)
    const key = new Authenticator(origin, algorithm)
    const { challenge } = at.proofs.registration()
    await at.proofs.addPasskey({ ...key.register(challenge), name: 'laptop' }, undefined, origin)
    return { at, key }
  }

  for (const algorithm of [-7, -8, -257] as const) {
    it(`takes a signature over this decision, with algorithm ${algorithm}`, async () => {
      const { at, key } = await withPasskey({}, algorithm)
      await using _at = at
      const { challenge, passkeys } = at.proofs.challenge(decision)
      assert.deepEqual(passkeys, [key.id])
      await at.proofs.checkSigned(key.sign(challenge), decision, origin)
    })
  }

  it('takes each signature once', async () => {
    const { at, key } = await withPasskey()
    await using _at = at
    const signed = key.sign(at.proofs.challenge(decision).challenge)
    await at.proofs.checkSigned(signed, decision, origin)
    await assert.rejects(at.proofs.checkSigned(signed, decision, origin), /it was used/)
  })

  const others = {
    'another question': { ...decision, question: 'q2' },
    'another act': { ...decision, key: 'other' },
    'another decision': { ...decision, input: { choice: 'always' } },
    'another route': { ...decision, route: 'addRule' },
  }
  for (const [name, other] of Object.entries(others)) {
    it(`refuses a signature for ${name}`, async () => {
      const { at, key } = await withPasskey()
      await using _at = at
      const signed = key.sign(at.proofs.challenge(decision).challenge)
      await assert.rejects(at.proofs.checkSigned(signed, other, origin), /not signed for this decision/)
    })
  }

  const dishonest: { readonly [name: string]: readonly [Signing, RegExp] } = {
    'another port': [{ origin: 'http://localhost:4174' }, /not at "http:\/\/localhost:4173"/],
    'an address of numbers': [{ origin: 'http://127.0.0.1:4173' }, /not at/],
    'another scheme': [{ origin: 'https://localhost:4173' }, /not at/],
    'another site': [{ host: 'example.com' }, /another site/],
    'no person present': [{ flags: 0x04 }, /did not verify the person/],
    'no person verified': [{ flags: 0x01 }, /did not verify the person/],
    'a registration': [{ type: 'webauthn.create' }, /not "webauthn.get"/],
    'a frame of another site': [{ more: { crossOrigin: true } }, /within a page of another site/],
    'a counter that stands still': [{ counter: 0 }, /may have been copied/],
  }
  for (const [name, [signing, why]] of Object.entries(dishonest)) {
    it(`refuses a signature with ${name}`, async () => {
      const { at, key } = await withPasskey()
      await using _at = at
      await at.proofs.checkSigned(key.sign(at.proofs.challenge(decision).challenge), decision, origin)
      const signed = key.sign(at.proofs.challenge(decision).challenge, signing)
      await assert.rejects(at.proofs.checkSigned(signed, decision, origin), why)
    })
  }

  it('refuses a signature of another key, and of a key that is not enrolled', async () => {
    const { at, key } = await withPasskey()
    await using _at = at
    const thief = new Authenticator(origin)
    const signed = thief.sign(at.proofs.challenge(decision).challenge)
    await assert.rejects(at.proofs.checkSigned(signed, decision, origin), /not enrolled/)
    const forged = { ...thief.sign(at.proofs.challenge(decision).challenge), id: key.id }
    await assert.rejects(at.proofs.checkSigned(forged, decision, origin), /not one of this passkey/)
  })

  it('forgets challenges after two minutes, and the oldest beyond the limit', async () => {
    const { at, key } = await withPasskey({ maxChallenges: 2 })
    await using _at = at
    const [first, second] = [1, 2, 3].map(() => key.sign(at.proofs.challenge(decision).challenge))
    assert.ok(first && second)
    await assert.rejects(at.proofs.checkSigned(first, decision, origin), /not signed for this decision/)
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 120_001 })
    try {
      await assert.rejects(at.proofs.checkSigned(second, decision, origin), /took too long/)
    } finally {
      mock.timers.reset()
    }
  })

  it('adds no passkey of another page, of an unknown algorithm, or beyond the limit', async () => {
    const { at } = await withPasskey({ maxPasskeys: 2 })
    await using _at = at
    const add = (change: (key: Authenticator, challenge: string) => object) => {
      const key = new Authenticator(origin)
      const { challenge } = at.proofs.registration()
      const given = { ...key.register(challenge), ...change(key, challenge), name: 'other' }
      return at.proofs.addPasskey(given, undefined, origin)
    }
    const foreign = { origin: 'http://localhost:1' }
    await assert.rejects(
      add((key, challenge) => key.register(challenge, foreign)),
      /not at/,
    )
    await assert.rejects(
      add(() => ({ algorithm: -47 })),
      /algorithm -47 is not verified/,
    )
    await assert.rejects(
      add(() => ({ algorithm: -257 })),
      /not one for algorithm -257/,
    )
    await assert.rejects(
      add(() => ({ id: 'b3RoZXI' })),
      /another one than it made/,
    )
    await add(() => ({}))
    await assert.rejects(
      add(() => ({})),
      /2 are enrolled; remove one/,
    )
  })
})

describe('PersonProof.current', () => {
  it('a record that was deleted or replaced is reported, in the store and beside it, and is not taken for none', async () => {
    await using at = opened()
    assert.deepEqual(at.proofs.current, { state: 'none' })
    await at.proofs.setPin('739154', ['everything'])
    const mark = readFileSync(at.file, 'utf8')
    const record = at.store.database.prepare('SELECT record FROM proof_enrolment').get()?.record ?? ''
    const expectDamage = async (why: RegExp) => {
      const now = at.proofs.current
      assert.equal(now.state, 'damaged')
      assert.match(now.state === 'damaged' ? now.why : '', why)
      assert.deepEqual(at.proofs.scopes, ['everything'])
      await assert.rejects(at.proofs.enterPin('739154', terminal), /Your proof is damaged/)
      await assert.rejects(at.proofs.setPin('111111'), /Your proof is damaged/)
    }
    rmSync(at.file)
    await expectDamage(/proof\.json" is missing/)
    writeFileSync(at.file, '{')
    await expectDamage(/cannot be read/)
    writeFileSync(at.file, mark)
    at.store.database.exec('DELETE FROM proof_enrolment')
    await expectDamage(/missing from the store/)
    at.store.database
      .prepare('INSERT INTO proof_enrolment (id, record) VALUES (1, ?)')
      .run('{"passkeys":[],"scopes":["policy"]}')
    assert.equal(at.proofs.current.state, 'damaged')
    at.store.database.prepare('UPDATE proof_enrolment SET record = ?').run(record)
    assert.equal(at.proofs.current.state, 'enrolled')
  })

  it('is for the chosen decisions, changes with the choice and ends with the last method', async () => {
    await using at = opened()
    await at.proofs.setPin('739154')
    assert.deepEqual(at.proofs.scopes, ['destroys', 'policy'])
    await at.proofs.choose(['everything'])
    assert.deepEqual(at.proofs.scopes, ['everything'])
    await at.proofs.removePin()
    assert.deepEqual([at.proofs.current, at.proofs.scopes], [{ state: 'none' }, []])
    assert.deepEqual(at.recorded, ['proof set: a PIN', 'proof changed: for everything', 'proof removed: the PIN'])
  })
})

describe('PersonProof.removeAll', () => {
  it('without the proof it waits a day, ends tickets and grants, and can be taken back', async () => {
    await using at = opened()
    await at.proofs.setPin('739154')
    await at.proofs.enterPin('739154', terminal)
    const dueAt = await at.proofs.removeAll(false)
    assert.equal(at.proofs.hasTicket(terminal), false)
    assert.equal(at.grantsEnded, 1)
    assert.equal(at.proofs.current.state, 'enrolled')
    assert.equal(await at.proofs.removeAll(false), dueAt)
    later(24 * 3_600_000 + 1_000, () => assert.equal(at.proofs.current.state, 'none'))
    await at.proofs.keep()
    later(24 * 3_600_000 + 1_000, () => assert.equal(at.proofs.current.state, 'enrolled'))
    assert.match(at.recorded.join('\n'), /proof reset asked: without the proof; it takes effect 20/)
  })

  it('a proof that is damaged can be replaced a day later', async () => {
    await using at = opened()
    await at.proofs.setPin('739154')
    rmSync(at.file)
    await at.proofs.removeAll(false)
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 24 * 3_600_000 + 1 })
    try {
      await at.proofs.setPin('246802')
      await at.proofs.enterPin('246802', terminal)
      assert.equal(at.proofs.hasTicket(terminal), true)
    } finally {
      mock.timers.reset()
    }
  })

  it('with the proof it is done at once', async () => {
    await using at = opened()
    await at.proofs.setPin('739154')
    await at.proofs.removeAll(true)
    assert.deepEqual(at.proofs.current, { state: 'none' })
  })
})
