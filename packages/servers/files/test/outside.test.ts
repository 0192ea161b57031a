import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type Client, connect } from '@trunkline/mcp'
import { filesServer } from '../src/files-server.ts'
import { sandbox } from './sandbox.ts'

async function textOf(client: Client, name: string, input: object): Promise<string> {
  const { content } = await client.tools.call(name, input as never)
  return content.map((block) => ('text' in block ? block.text : JSON.stringify(block))).join('\n')
}

function hostile() {
  const box = sandbox({ 'a.txt': 'INSIDE', 'sub/b.txt': 'B' })
  symlinkSync(join(box.outside, 'secret.txt'), join(box.inside, 'link.txt'))
  symlinkSync(box.outside, join(box.inside, 'linked'))
  symlinkSync('../inside-not', join(box.inside, 'relative'))
  symlinkSync(join(box.inside, 'sub'), join(box.inside, 'fine'))
  symlinkSync('loop', join(box.inside, 'loop'))
  return box
}

const climbing = [
  '../inside-not/secret.txt',
  'sub/../../inside-not/secret.txt',
  './/..//inside-not//secret.txt',
  'link.txt',
  'linked/secret.txt',
  'relative/secret.txt',
  'linked/../inside-not/secret.txt',
  '../inside-not',
  '../../../../../../etc/passwd',
  '/etc/passwd',
  '/proc/self/environ',
  'loop',
  'a.txt\0.png',
  '..\\inside-not\\secret.txt',
  '%2e%2e/inside-not/secret.txt',
  'sub/..%2f..%2finside-not/secret.txt',
]

for (const path of climbing) {
  test(`outside: ${JSON.stringify(path)} is neither read, listed, searched nor written`, async () => {
    using box = hostile()
    await using client = await connect(await filesServer({ directories: [box.inside] }))
    const answers = [
      await textOf(client, 'read_file', { path }),
      await textOf(client, 'list_directory', { path }),
      await textOf(client, 'find_files', { pattern: '*', path }),
      await textOf(client, 'search_text', { text: 'OUT', path }),
      await textOf(client, 'write_file', { path, content: 'PWNED' }),
      await textOf(client, 'edit_file', { path, edits: [{ find: 'OUTSIDE', replace: 'PWNED' }] }),
    ]
    for (const answer of answers) assert.doesNotMatch(answer, /OUTSIDE|secret\.txt \(|root:/)
    assert.equal(readFileSync(join(box.outside, 'secret.txt'), 'utf8'), 'OUTSIDE')
    assert.deepEqual(readdirSync(box.outside), ['secret.txt'])
  })
}

test('outside: an absolute path beside the directory, whose name begins the same', async () => {
  using box = hostile()
  await using client = await connect(await filesServer({ directories: [box.inside] }))
  const answer = await textOf(client, 'read_file', { path: join(box.outside, 'secret.txt') })
  assert.match(answer, /it lies outside of the directories that this server may use/)
})

test('outside: nothing tells whether something is there', async () => {
  using box = hostile()
  await using client = await connect(await filesServer({ directories: [box.inside] }))
  const [there, notThere] = await Promise.all(
    ['secret.txt', 'none.txt'].map((name) => textOf(client, 'read_file', { path: `../inside-not/${name}` })),
  )
  assert.equal(there?.replace('secret', 'none'), notThere)
})

const addresses = [
  (box: { outside: string }) => pathToFileURL(join(box.outside, 'secret.txt')).href,
  (box: { inside: string }) => `${pathToFileURL(box.inside).href}/../inside-not/secret.txt`,
  (box: { inside: string }) => `${pathToFileURL(box.inside).href}/%2e%2e/inside-not/secret.txt`,
  (box: { inside: string }) => `${pathToFileURL(box.inside).href}/..%2finside-not%2fsecret.txt`,
  (box: { inside: string }) => `${pathToFileURL(box.inside).href}/%252e%252e/inside-not/secret.txt`,
  (box: { inside: string }) => `${pathToFileURL(box.inside).href}/..%5cinside-not%5csecret.txt`,
  (box: { inside: string }) => `${pathToFileURL(box.inside).href}/link.txt`,
  (box: { outside: string }) => `file://evil.example${join(box.outside, 'secret.txt')}`,
  (box: { inside: string }) => `${pathToFileURL(box.inside).href}/a.txt%00`,
]

for (const [at, address] of addresses.entries()) {
  test(`outside: address ${at + 1} of a resource is refused`, async () => {
    using box = hostile()
    await using client = await connect(await filesServer({ directories: [box.inside] }))
    await assert.rejects(client.resources.read(address(box)), (error: Error) => !/OUTSIDE/.test(error.message))
  })
}

test('inside: a link that stays inside is followed, searches follow none', async () => {
  using box = hostile()
  await using client = await connect(await filesServer({ directories: [box.inside] }))
  assert.equal(await textOf(client, 'read_file', { path: 'fine/b.txt' }), 'B')
  assert.equal(await textOf(client, 'find_files', { pattern: '*.txt' }), 'a.txt\nsub/b.txt')
})

test('inside: a pipe does not hold a call up', async () => {
  using box = hostile()
  execFileSync('mkfifo', [join(box.inside, 'pipe')])
  await using client = await connect(await filesServer({ directories: [box.inside] }))
  assert.match(await textOf(client, 'read_file', { path: 'pipe' }), /it is no regular file/)
  assert.match(await textOf(client, 'write_file', { path: 'pipe', content: 'x' }), /it is no regular file/)
})

test('inside: a file that a hard link shares is replaced, not written through', async () => {
  using box = hostile()
  linkSync(join(box.outside, 'secret.txt'), join(box.inside, 'hard.txt'))
  await using client = await connect(await filesServer({ directories: [box.inside] }))
  await textOf(client, 'write_file', { path: 'hard.txt', content: 'PWNED' })
  assert.equal(readFileSync(join(box.outside, 'secret.txt'), 'utf8'), 'OUTSIDE')
})

test('outside: a folder that turns into a link and back, thousands of times, never leads out', async () => {
  using box = sandbox({})
  const [real, aside, link] = ['d', 'aside', 'link'].map((name) => join(box.inside, name)) as [string, string, string]
  mkdirSync(real)
  writeFileSync(join(real, 'secret.txt'), 'INSIDE')
  symlinkSync(box.outside, link)
  const swap = `const { renameSync } = require('fs'); const [d, aside, link] = process.argv.slice(1)
    for (;;) { renameSync(d, aside); renameSync(link, d); renameSync(d, link); renameSync(aside, d) }`
  const swapper = spawn(process.execPath, ['-e', swap, real, aside, link], { stdio: 'ignore' })
  try {
    await using client = await connect(await filesServer({ directories: [box.inside] }))
    let reads = 0
    // so often at least, and until it was in place for one of them
    for (let round = 0; round < 1_500 || reads === 0; round++) {
      const text = await textOf(client, 'read_file', { path: 'd/secret.txt' })
      assert.doesNotMatch(text, /OUTSIDE/)
      if (text === 'INSIDE') reads += 1
      const made = round % 20 === 0 ? 'd/new.txt' : `d/deep-${round}/new.txt`
      if (round % 10 === 0) await textOf(client, 'write_file', { path: made, content: 'PWNED' })
      if (round % 25 === 0)
        assert.doesNotMatch(await textOf(client, 'search_text', { text: 'OUTSIDE', path: 'd' }), /secret\.txt:1/)
    }
  } finally {
    swapper.kill('SIGKILL')
  }
  assert.equal(existsSync(join(box.outside, 'new.txt')), false)
  assert.deepEqual(readdirSync(box.outside), ['secret.txt'])
})
