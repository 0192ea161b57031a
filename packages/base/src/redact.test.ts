import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { masked, redact, redactText } from './redact.ts'

const random = 'aB3'.repeat(14)

describe('redactText', () => {
  for (const secret of [
    `sk-proj-${random}`,
    `sk-ant-${random}`,
    `pk_test_${random}`,
    `rk_live_${random}`,
    `sk-or-${random}`,
    ...['ghp', 'gho', 'ghu', 'ghs', 'ghr', 'github_pat'].map((start) => `${start}_${random}`),
    `xoxb-${random}`,
    `glpat-${random}`,
    'AKIAABCDEFGHIJKLMNOP',
    `AIza${random}`,
    `npm_${random}`,
    `eyJ${random}.eyJ${random}.${random}`,
    `-----BEGIN RSA PRIVATE KEY-----\n${random}\n-----END RSA PRIVATE KEY-----`,
  ]) {
    it(`masks ${secret.slice(0, 16)}… and leaves the text around it`, () => {
      assert.equal(redactText(`before ${secret} after`), `before ${masked} after`)
    })
  }

  it('masks the word after Bearer and Basic, and the password in an address', () => {
    assert.equal(redactText(`authorization: Bearer ${random}`), `authorization: Bearer ${masked}`)
    assert.equal(redactText(`Basic ${random}`), `Basic ${masked}`)
    assert.equal(redactText('postgres://me:hunter2@db/x'), `postgres://me:${masked}@db/x`)
  })

  it('leaves every other text as it is', () => {
    for (const text of ['', 'hello', 'https://example.com/a:b', 'a_test', '-----BEGIN CERTIFICATE-----']) {
      assert.equal(redactText(text), text)
    }
  })
})

describe('redact', () => {
  it('masks by name, at any depth, and leaves objects and counts', () => {
    const value = { password: 'x', list: [{ 'x-api-key': 1, api_key: { kept: true } }], tokens: 3, pin: 12 }
    const expected = {
      password: masked,
      list: [{ 'x-api-key': masked, api_key: { kept: true } }],
      tokens: 3,
      pin: masked,
    }
    assert.deepEqual(redact(value), expected)
  })

  it('leaves the value itself alone, and copies nothing where nothing is masked', () => {
    const kept = { list: ['a', { b: 1 }], none: null }
    assert.equal(redact(kept), kept)
    const secret = { list: [{ token: 'x' }], beside: { c: 2 } }
    const shown = redact(secret) as typeof secret
    assert.deepEqual(shown, { list: [{ token: masked }], beside: { c: 2 } })
    assert.deepEqual(secret, { list: [{ token: 'x' }], beside: { c: 2 } })
    assert.equal(shown.beside, secret.beside)
  })

  it('masks in a member that is called __proto__ too', () => {
    const value = JSON.parse('{"__proto__":{"token":"x"}}')
    assert.equal(JSON.stringify(redact(value)), `{"__proto__":{"token":"${masked}"}}`)
  })

  it('masks values that are nested too deeply to be searched', () => {
    let value: unknown = 'deep'
    for (let depth = 0; depth < 70; depth++) value = [value]
    assert.match(JSON.stringify(redact(value)), /\[masked\]/)
  })
})
