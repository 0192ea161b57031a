import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memorySecrets, type SecretStore } from '../../stores/secret-store.ts'
import { CredentialRecords } from './credential-records.ts'

const server = 'https://mcp.example.com/mcp'
const [here, there] = ['https://a.example.com', 'https://b.example.com']
const tokens = { accessToken: 't', requested: [], granted: [] }
const never = new AbortController().signal

test('Records: tokens and clients belong to the issuer that gave them', async () => {
  const records = new CredentialRecords(memorySecrets(), server, '')
  await records.keepTokens(here, tokens)
  await records.keepClient(here, { clientId: 'c' })
  assert.deepEqual(await records.tokens(here), tokens)
  assert.deepEqual(await records.client(here), { clientId: 'c' })
  assert.equal(await records.tokens(there), undefined)
  assert.equal(await records.client(there), undefined)
})

test('Records: tokens belong to one account at one server, a client to all of them', async () => {
  const store = memorySecrets()
  const records = new CredentialRecords(store, server, 'work')
  await records.keepTokens(here, tokens)
  await records.keepIssuer(here)
  await records.keepClient(here, { clientId: 'c' })
  for (const other of [
    new CredentialRecords(store, server, 'home'),
    new CredentialRecords(store, `${server}2`, 'work'),
  ]) {
    assert.equal(await other.tokens(here), undefined)
    assert.equal(await other.issuer(), undefined)
    assert.deepEqual(await other.client(here), { clientId: 'c' })
  }
})

test('Records: a dropped record is gone', async () => {
  const records = new CredentialRecords(memorySecrets(), server, '')
  await records.keepTokens(here, tokens)
  await records.keepClient(here, { clientId: 'c' })
  await records.dropTokens(here)
  await records.dropClient(here)
  assert.deepEqual([await records.tokens(here), await records.client(here)], [undefined, undefined])
})

test('Records: a damaged record counts as missing', async () => {
  const store = { ...memorySecrets(), get: async () => '{"accessToken": "ha' }
  assert.equal(await new CredentialRecords(store, server, '').tokens(here), undefined)
})

test('Records: a store that fails is heard of', async () => {
  const fail = async (): Promise<never> => {
    throw new Error('disk full')
  }
  const records = new CredentialRecords({ get: fail, set: fail, delete: fail }, server, '')
  const failure = { problem: 'store', cause: new Error('disk full') }
  await assert.rejects(records.tokens(here), failure)
  await assert.rejects(records.keepTokens(here, tokens), failure)
  await assert.rejects(records.dropTokens(here), failure)
})

test('Records.alone: a keychain that cannot keep others out will do', async () => {
  const { get, set, delete: remove } = memorySecrets()
  const keychain: SecretStore = { get, set, delete: remove }
  assert.equal(await new CredentialRecords(keychain, server, '').alone(async () => 'done', never), 'done')
})

test('Records.alone: runs one task at a time for an account at a server, across all records', async () => {
  const store = memorySecrets()
  let running = 0
  const task = async (): Promise<void> => {
    assert.equal(++running, 1)
    await new Promise(setImmediate)
    running--
  }
  await Promise.all([1, 2, 3].map(() => new CredentialRecords(store, server, '').alone(task, never)))
})
