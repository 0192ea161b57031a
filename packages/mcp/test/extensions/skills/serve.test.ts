/** A directory of skills as a server serves it. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { InvalidParams, server } from '../../../src/index.ts'
import { type SkillEntry, skills } from '../../../src/skills.ts'
import { everyRevision, join } from '../../../src/testing/revisions.ts'
import { quiet } from '../../fixtures/quiet.ts'
import { gate } from '../../gate.ts'
import { soon } from '../../soon.ts'
import { skillFolder, skillText } from './folder.ts'

const sum = (content: string | Uint8Array): string => `sha256:${createHash('sha256').update(content).digest('hex')}`
const refunds = skillText('refunds', 'Write as in `examples/email.md`.', 'license: MIT\nmetadata:\n  version: "2"\n')
const files = {
  'acme/refunds/SKILL.md': refunds,
  'acme/refunds/examples/a letter.md': 'Dear customer',
  'acme/refunds/logo.bin': new Uint8Array([0xff, 0, 1]),
  'git/SKILL.md': skillText('git'),
  'git/.secret': 'not a file of the skill',
  'notes.txt': 'in no skill',
}

test('skills: every directory with a SKILL.md is listed, with its frontmatter and all its files, at every revision', async () => {
  using folder = skillFolder(files)
  await using app = closing(server({ ...quiet, name: 'docs', extensions: [skills(folder.root)] }))
  await everyRevision(
    app.server,
    async ({ client }) => {
      const { skills: listed } = (await client.request('skills/list', {})) as unknown as { skills: SkillEntry[] }
      assert.deepEqual(
        listed.map(({ uri }) => uri),
        ['skill://acme/refunds/SKILL.md', 'skill://git/SKILL.md'],
      )
      assert.deepEqual(listed[0], {
        uri: 'skill://acme/refunds/SKILL.md',
        frontmatter: {
          name: 'refunds',
          description: 'How refunds is done.',
          license: 'MIT',
          metadata: { version: '2' },
        },
        resources: [
          { uri: 'skill://acme/refunds/SKILL.md', digest: sum(refunds), size: refunds.length },
          { uri: 'skill://acme/refunds/examples/a%20letter.md', digest: sum('Dear customer'), size: 13 },
          { uri: 'skill://acme/refunds/logo.bin', digest: sum(new Uint8Array([0xff, 0, 1])), size: 3 },
        ],
      })
      const { skill } = await client.request('skills/get', { uri: 'skill://git/SKILL.md' })
      assert.deepEqual(skill, listed[1])
      assert.deepEqual(client.capabilities.extensions, { 'io.modelcontextprotocol/skills': { directoryRead: true } })
      assert.ok(client.capabilities.resources)
    },
    { extensions: [skills()] },
  )
})

test('skills: files are resources; each SKILL.md is listed under the name and description of its skill', async () => {
  using folder = skillFolder(files)
  await using app = closing(server({ ...quiet, name: 'docs', extensions: [skills(folder.root)] }))
  await using both = await join(app.server)
  const [first] = await both.client.resources.list().all()
  assert.deepEqual(first, {
    uri: 'skill://acme/refunds/SKILL.md',
    name: 'refunds',
    description: 'How refunds is done.',
    mimeType: 'text/markdown',
    size: refunds.length,
  })
  const read = async (uri: string) => (await both.client.resources.read(uri)).contents
  assert.deepEqual(await read('skill://acme/refunds/examples/a%20letter.md'), [
    { uri: 'skill://acme/refunds/examples/a%20letter.md', mimeType: 'text/markdown', text: 'Dear customer' },
  ])
  assert.deepEqual(await read('skill://acme/refunds/logo.bin'), [
    { uri: 'skill://acme/refunds/logo.bin', mimeType: 'application/octet-stream', blob: '/wAB' },
  ])
})

test('resources/directory/read: the children of a directory, page by page; what is none is refused', async () => {
  using folder = skillFolder(files)
  await using app = closing(server({ ...quiet, name: 'docs', pageSize: 2, extensions: [skills(folder.root)] }))
  await using both = await join(app.server, { extensions: [skills()] })
  const uri = 'skill://acme/refunds'
  const first = await both.client.request('resources/directory/read', { uri })
  assert.deepEqual(
    (first.resources as readonly { name: string; mimeType: string }[]).map(({ name, mimeType }) => [name, mimeType]),
    [
      ['refunds', 'text/markdown'],
      ['examples', 'inode/directory'],
    ],
  )
  const next = await both.client.request('resources/directory/read', { uri, cursor: first.nextCursor })
  assert.deepEqual(
    (next.resources as readonly { name: string }[]).map(({ name }) => name),
    ['logo.bin'],
  )
  for (const bad of ['skill://acme/refunds/SKILL.md', 'skill://nowhere', 'skill://acme', 'skill://acme/refunds/'])
    await assert.rejects(both.client.request('resources/directory/read', { uri: bad }), { code: InvalidParams })
})

test('skills/get and resources/read: an address that no skill has, or that climbs out, is refused', async () => {
  using folder = skillFolder(files)
  await using app = closing(server({ ...quiet, name: 'docs', extensions: [skills(folder.root)] }))
  await using both = await join(app.server, { extensions: [skills()] })
  for (const uri of ['skill://nowhere/SKILL.md', 'skill://acme/refunds', 'skill://acme/refunds/logo.bin', ''])
    await assert.rejects(both.client.request('skills/get', { uri }), { code: InvalidParams })
  await assert.rejects(both.client.request('skills/get', {}), { code: InvalidParams, message: /uri/ })
  for (const uri of [
    'skill://git/.secret',
    'skill://notes.txt',
    'skill://git/../notes.txt',
    'skill://git/%2e%2e/notes.txt',
    'skill://git/..%2fnotes.txt',
    'skill:///etc/passwd',
    'skill://git/../../../../etc/passwd',
    'skill://acme/refunds/examples/a letter.md/../../logo.bin',
  ])
    await assert.rejects(both.client.resources.read(uri), { code: InvalidParams, message: /no such resource/ })
})

test('skills: a skill inside of a skill is listed for itself, and its files are files of the outer one as well', async () => {
  using folder = skillFolder({
    'outer/SKILL.md': skillText('outer'),
    'outer/parts/inner/SKILL.md': skillText('inner'),
    'outer/parts/inner/a.txt': 'a',
  })
  await using app = closing(server({ ...quiet, name: 'docs', extensions: [skills(folder.root)] }))
  await using both = await join(app.server, { extensions: [skills()] })
  const [outer, inner] = await both.client.skills.list().all()
  const uris = (entry: SkillEntry | undefined) =>
    ((entry as SkillEntry).resources as readonly { uri: string }[]).map(({ uri }) => uri)
  assert.deepEqual(uris(inner), ['skill://outer/parts/inner/SKILL.md', 'skill://outer/parts/inner/a.txt'])
  assert.deepEqual(uris(outer), ['skill://outer/SKILL.md', ...uris(inner)])
})

test('skills: a client is told of what changed, and finds it', async () => {
  using folder = skillFolder(files)
  await using app = closing(server({ ...quiet, name: 'docs', extensions: [skills(folder.root)] }))
  await using both = await join(app.server, { extensions: [skills()] })
  const names = async () => (await both.client.skills.list().all()).map(({ frontmatter }) => frontmatter.name)
  assert.deepEqual(await names(), ['refunds', 'git'])
  let told = gate()
  const watching = await both.client.watch({ resources: true }, () => told.open())
  // each look begins after the last thing told, so nothing is missed
  const until = async (isSo: () => Promise<boolean>): Promise<void> => {
    for (;;) {
      await soon(told.promise, 'a change')
      told = gate()
      if (await isSo()) return
    }
  }
  folder.write('new/deep/walking/SKILL.md', skillText('walking'))
  await until(async () => (await names()).includes('walking'))
  folder.write('new/deep/walking/map.txt', 'north')
  const uri = 'skill://new/deep/walking/SKILL.md'
  const sizes = async () =>
    ((await both.client.skills.get(uri)).resources as readonly { size: number }[]).map(({ size }) => size)
  await until(async () => (await sizes()).includes(5))
  folder.write('new/deep/walking/SKILL.md', skillText('walking', 'Go on, and on.'))
  await until(async () => (await sizes()).includes(skillText('walking', 'Go on, and on.').length))
  watching.close()
})

test('skills: those who watch a file are told when it changed; unwatched directories are read anew when a file is not as listed', async () => {
  using folder = skillFolder(files)
  await using app = closing(server({ ...quiet, name: 'docs', extensions: [skills(folder.root, { watch: false })] }))
  await using both = await join(app.server, { extensions: [skills()] })
  const uri = 'skill://git/SKILL.md'
  await both.client.resources.read(uri)
  const { promise, open } = gate<string>()
  const watching = await both.client.resources.watch(uri, open)
  folder.write('git/SKILL.md', skillText('git', 'Rebase.'))
  const { contents } = await both.client.resources.read(uri)
  assert.match((contents[0] as { text: string }).text, /Rebase/)
  assert.equal(await promise, uri)
  const skill = await both.client.skills.load(uri)
  assert.equal(skill.body, '\nRebase.\n')
  watching.close()
})

/** A server that is closed with its directory. */
function closing<Own extends { close(): Promise<void> }>(own: Own) {
  return { server: own, [Symbol.asyncDispose]: () => own.close() }
}
