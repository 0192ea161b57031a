import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { lacking } from '../../../../../tools/lib/needs.ts'
import { nodeFileSecrets } from './file-secrets.ts'

async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'secrets-'))
  return { path: join(path, 'new'), [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

test('fileSecrets: a secret is there when the folder is opened again', async () => {
  await using at = await folder()
  await nodeFileSecrets(at.path).set('a', 'secret')
  assert.equal(await nodeFileSecrets(at.path).get('a'), 'secret')
  assert.equal(await nodeFileSecrets(at.path).get('b'), undefined)
  await nodeFileSecrets(at.path).delete('a')
  await nodeFileSecrets(at.path).delete('a')
  assert.equal(await nodeFileSecrets(at.path).get('a'), undefined)
})

test('fileSecrets: any name will do', async () => {
  await using at = await folder()
  const store = nodeFileSecrets(at.path)
  const names = ['', '../../etc/passwd', 'a/b', 'a\\b', 'a\0b', 'A', 'a', 'x'.repeat(10_000)]
  for (const name of names) await store.set(name, `of ${name}`)
  for (const name of names) assert.equal(await store.get(name), `of ${name}`)
  assert.equal((await readdir(at.path)).length, names.length)
})

test('fileSecrets: only the user can read the files, and the folder', {
  skip: lacking('posix', process.platform !== 'win32'),
}, async () => {
  await using at = await folder()
  const mask = process.umask(0)
  try {
    await nodeFileSecrets(at.path).set('a', 'secret')
  } finally {
    process.umask(mask)
  }
  const [name = ''] = await readdir(at.path)
  assert.equal((await stat(join(at.path, name))).mode & 0o777, 0o600)
  assert.equal((await stat(at.path)).mode & 0o777, 0o700)
})

test('fileSecrets: many writers leave one of what they wrote, and nothing else', async () => {
  await using at = await folder()
  const values = Array.from({ length: 50 }, (_, index) => `${index}`.repeat(10_000))
  const reads: Promise<string | undefined>[] = []
  await Promise.all(
    values.map(async (value) => {
      await nodeFileSecrets(at.path).set('a', value)
      reads.push(nodeFileSecrets(at.path).get('a'))
    }),
  )
  for (const read of await Promise.all(reads)) assert.ok(values.includes(read ?? ''))
  assert.equal((await readdir(at.path)).length, 1)
})

test('fileSecrets: a write that fails leaves what was there, and says so', async () => {
  await using at = await folder()
  const store = nodeFileSecrets(at.path)
  await writeFile(at.path, 'not a folder')
  await assert.rejects(store.set('a', 'new'), { problem: 'store', message: /: E(?:EXIST|NOTDIR).*"fileSecrets"/ })
  await rm(at.path)
  await store.set('a', 'old')
  const [name = ''] = await readdir(at.path)
  await rm(join(at.path, name))
  const { mkdir } = await import('node:fs/promises')
  await mkdir(join(at.path, name, 'in the way'), { recursive: true })
  await assert.rejects(store.set('a', 'new'))
  assert.deepEqual(await readdir(at.path), [name])
})

test('fileSecrets: a folder that cannot be made is an error at once, and the error names what is in the way', async () => {
  await using at = await folder()
  await writeFile(at.path, 'not a folder')
  const below = nodeFileSecrets(join(at.path, 'home', 'secrets'))
  const isNamed = ({ message }: Error) => message.includes(`mkdir '${at.path}'; give "fileSecrets"`)
  await assert.rejects(below.set('a', 'new'), isNamed)
  await assert.rejects(async () => below.alone?.('a', async () => {}), isNamed)
})

test('fileSecrets: below /proc, where no folder can be made, is an error at once', {
  skip: lacking('linux', process.platform === 'linux'),
}, async () => {
  const store = nodeFileSecrets('/proc/trunkline/secrets')
  await assert.rejects(store.set('a', 'new'), { problem: 'store', message: /mkdir '\/proc\/trunkline'/ })
})

test('fileSecrets: a folder and those above it are made for their owner alone', {
  skip: lacking('posix', process.platform !== 'win32'),
}, async () => {
  await using at = await folder()
  const deep = join(at.path, 'home', 'secrets')
  await Promise.all([1, 2, 3].map((value) => nodeFileSecrets(deep).set(`a${value}`, 'new')))
  for (const path of [at.path, join(at.path, 'home'), deep]) assert.equal((await stat(path)).mode & 0o777, 0o700)
})

test('fileSecrets: tasks of one name run one after the other, across all stores of the folder', async () => {
  await using at = await folder()
  let running = 0
  const task = async (): Promise<void> => {
    assert.equal(++running, 1)
    await new Promise(setImmediate)
    running--
  }
  const stores = Array.from({ length: 5 }, () => nodeFileSecrets(at.path))
  await Promise.all([...stores, ...stores].map((store) => store.alone?.('a', task)))
  assert.deepEqual(await readdir(at.path), [])
})
