import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../../tools/lib/any-character.ts'
import { fromBase64url, toBase64url } from './base64url.ts'
import { McpError } from './errors.ts'
import { digest, SealError, type SealProblem, sealer } from './sealed.ts'

const oldKey = 'an old secret of at least 32 characters'
const newKey = 'a new secret of at least 32 characters'
const later = Number.MAX_SAFE_INTEGER

function refuses(opening: Promise<unknown>, ...reasons: readonly SealProblem[]): Promise<void> {
  return assert.rejects(opening, (error) => {
    assert.ok(error instanceof SealError)
    assert.ok(reasons.includes(error.reason), error.reason)
    assert.equal(error.message, `Cannot use sealed text: ${error.reason}`)
    return true
  })
}

test('Sealer: opens what it sealed, with the same binding', async () => {
  const box = sealer({ keys: [oldKey] })
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.string({ unit: anyCharacter }), async (value, binding) => {
      const text = await box.seal(value, binding, later)
      assert.match(text, /^v1\.[A-Za-z0-9_-]+$/)
      assert.deepEqual(await box.open(text, binding), JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('Sealer: keeps a "__proto__" member a member', async () => {
  const box = sealer()
  const opened = await box.open(await box.seal(JSON.parse('{"__proto__":{"admin":true}}'), '', later), '')
  assert.deepEqual(Object.keys(opened as object), ['__proto__'])
  assert.equal((opened as { admin?: boolean }).admin, undefined)
})

test('Sealer: shows nothing of the value', async () => {
  const text = await sealer().seal({ secret: 'correct horse' }, 'alice', later)
  assert.ok(!Buffer.from(text.slice(3), 'base64url').toString('latin1').includes('horse'))
})

test('Sealer: refuses a text with any bit flipped', async () => {
  const box = sealer({ keys: [oldKey] })
  const text = await box.seal({ round: 1 }, 'alice', later)
  for (let index = 0; index < text.length; index++)
    for (let bit = 0; bit < 8; bit++) {
      const flipped = String.fromCharCode(text.charCodeAt(index) ^ (1 << bit))
      await refuses(box.open(text.slice(0, index) + flipped + text.slice(index + 1), 'alice'), 'malformed', 'tampered')
    }
})

test('Sealer: refuses bytes with any bit flipped as tampered', async () => {
  const box = sealer({ keys: [oldKey] })
  const bytes = fromBase64url((await box.seal({ round: 1 }, 'alice', later)).slice(3)) ?? assert.fail()
  for (let index = 0; index < bytes.length; index++)
    for (let bit = 0; bit < 8; bit++) {
      const flipped = bytes.with(index, (bytes[index] as number) ^ (1 << bit))
      await refuses(box.open(`v1.${toBase64url(flipped)}`, 'alice'), 'tampered')
    }
})

test('Sealer: refuses another binding', async () => {
  const box = sealer({ keys: [oldKey] })
  const text = await box.seal(1, 'alice', later)
  for (const binding of ['bob', '', 'alice ', 'Alice', 'alic']) await refuses(box.open(text, binding), 'tampered')
  await refuses(box.open(await box.seal(1, '\ud800', later), '\ud801'), 'tampered')
})

test('Sealer: opens until the moment of expiry, and says "expired" only of its own text', async () => {
  let time = 0
  const box = sealer({ keys: [oldKey], now: () => time })
  const text = await box.seal('state', 'alice', 1_000)
  time = 999
  assert.equal(await box.open(text, 'alice'), 'state')
  time = 1_000
  await refuses(box.open(text, 'alice'), 'expired')
  await refuses(box.open(text, 'bob'), 'tampered')
  assert.equal(await box.open(await box.seal('state', 'alice', Number.POSITIVE_INFINITY), 'alice'), 'state')
})

test('Sealer: an old key still opens after a rotation, a removed one no longer', async () => {
  const before = await sealer({ keys: [oldKey] }).seal('before', '', later)
  const rotated = sealer({ keys: [newKey, oldKey] })
  assert.equal(await rotated.open(before, ''), 'before')
  const after = await rotated.seal('after', '', later)
  const done = sealer({ keys: [newKey] })
  assert.equal(await done.open(after, ''), 'after')
  await refuses(done.open(before, ''), 'tampered')
})

test('Sealer: bytes are a key like a string, as they were when they were given', async () => {
  const bytes = Buffer.alloc(32, 7)
  const text = await sealer({ keys: [Buffer.alloc(32, 7)] }).seal('value', '', later)
  const box = sealer({ keys: [bytes] })
  bytes.fill(0)
  assert.equal(await box.open(text, ''), 'value')
})

test('sealer: refuses a short key with the way to make a long one, and never shows the key', () => {
  const isMisuse = (error: unknown) => {
    assert.ok(error instanceof McpError && error.code === 'Misuse')
    assert.doesNotMatch(error.message, /hunter2/)
    return true
  }
  assert.throws(() => sealer({ keys: ['hunter2'] }), /7 characters: .*at least 32.*openssl rand -base64 32/)
  assert.throws(() => sealer({ keys: ['hunter2'] }), isMisuse)
  assert.throws(() => sealer({ keys: [oldKey, 'k'.repeat(31)] }), isMisuse)
  assert.throws(() => sealer({ keys: [new Uint8Array(31)] }), /31 bytes/)
  assert.throws(() => sealer({ keys: [] }), isMisuse)
  assert.ok(sealer({ keys: ['k'.repeat(32), new Uint8Array(32)] }))
})

test('sealer: without keys makes one on the first seal, says so once, and shares it with no other sealer', async () => {
  let told = 0
  const onRandomKey = () => told++
  const one = sealer({ onRandomKey })
  const other = sealer({ onRandomKey })
  const foreign = await sealer().seal('foreign', '', later)
  await refuses(one.open(foreign, ''), 'tampered')
  assert.equal(told, 0)
  const texts = await Promise.all([one.seal(1, '', later), one.seal(2, '', later)])
  assert.equal(told, 1)
  assert.deepEqual(await Promise.all(texts.map((text) => one.open(text, ''))), [1, 2])
  await refuses(other.open(texts[0], ''), 'tampered')
  await other.seal(3, '', later)
  await refuses(other.open(texts[0], ''), 'tampered')
  assert.equal(told, 2)
})

test('Sealer: refuses what is no sealed text as malformed', async () => {
  const box = sealer({ keys: [oldKey] })
  const text = await box.seal('value', '', later)
  const foreign = ['', 'v1', 'v1.', 'v1.A', 'v2.AAAA', text.slice(3), ` ${text}`, `${text}=`, `${text}\n`, 'v1.é', '{}']
  for (const malformed of foreign) await refuses(box.open(malformed, ''), 'malformed')
  for (let length = 0; length < text.length; length++)
    await refuses(box.open(text.slice(0, length), ''), 'malformed', 'tampered')
  await refuses(box.open(text + text.slice(3), ''), 'malformed', 'tampered')
})

test('Sealer: seals and opens a text of 64 KiB and none that is longer', async () => {
  const box = sealer({ keys: [oldKey] })
  const fits = 'a'.repeat(49_103)
  const text = await box.seal(fits, '', later)
  assert.equal(text.length, 65_535)
  assert.equal(await box.open(text, ''), fits)
  await refuses(box.seal(`${fits}a`, '', later), 'too-large')
  const larger = await sealer({ keys: [oldKey], maxBytes: 100_000 }).seal(`${fits}a`, '', later)
  await refuses(box.open(larger, ''), 'too-large')
  await refuses(box.open('x'.repeat(10_000_000), ''), 'too-large')
  await refuses(sealer({ maxBytes: 50 }).seal('', '', later), 'too-large')
})

test('Sealer: never uses a nonce twice in 10 000 seals', async () => {
  const box = sealer({ keys: [oldKey] })
  const nonces = new Set<string>()
  for (let count = 0; count < 10_000; count++) {
    const bytes = fromBase64url((await box.seal(0, '', later)).slice(3)) ?? assert.fail()
    nonces.add(toBase64url(bytes.subarray(16, 28)))
  }
  assert.equal(nonces.size, 10_000)
})

test('Sealer: refuses to seal what has no JSON form or no expiry', async () => {
  const isMisuse = (error: unknown) => error instanceof McpError && error.code === 'Misuse'
  await assert.rejects(sealer().seal(undefined, '', later), isMisuse)
  await assert.rejects(sealer().seal(1, '', Number.NaN), isMisuse)
})

test('digest: is SHA-256 of the canonical JSON, whatever the order of keys', async () => {
  assert.equal(await digest({}), 'RBNvo1WzZ4oRRq0W9-hknpT7T8If536DEMBg9hyq_4o')
  assert.equal(await digest({ a: 1, b: { c: [], d: 2 } }), await digest({ b: { d: 2, c: [] }, a: 1 }))
  assert.equal(await digest(-0), await digest(0))
})

test('digest: differs when the value does', async () => {
  const texts = [
    '0 1 -1 1e20 1e21 1e-7 null true false [] {} "" "0" "null" [0] [[0]] [0,0] ["0"]',
    '"é" "e\u0301" "\\ud800" "\\ud801" "\\ufffd" "😀" {"a":1} {"a":"1"} {"a":{}} {"a":[]} {"a":null} {"b":1} {"":1}',
    '{"__proto__":1} {"__proto__":{}} {"a":{"__proto__":1}} {"a":{"__proto__":{"b":1}}} {"constructor":1}',
  ]
  const values = texts.flatMap((line) => line.split(' ')).map((text) => JSON.parse(text))
  const digests = await Promise.all(values.map(digest))
  assert.equal(new Set(digests).size, values.length)
})
