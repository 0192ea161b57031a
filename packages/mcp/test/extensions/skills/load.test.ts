/** Skills as a client loads them, from servers that do not always tell the truth. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { server } from '../../../src/index.ts'
import type { ServerExtension } from '../../../src/server/extension.ts'
import { type SkillEntry, type SkillLimits, skillFingerprint, skills } from '../../../src/skills.ts'
import { join } from '../../../src/testing/revisions.ts'
import { quiet } from '../../fixtures/quiet.ts'
import { skillText } from './folder.ts'

const sum = (content: string): string => `sha256:${createHash('sha256').update(content).digest('hex')}`
const uri = 'skill://acme/forms/SKILL.md'
const guide = 'skill://acme/forms/references/GUIDE.md'
const text = skillText('forms', 'Follow [the guide](references/GUIDE.md).')
const file = (at: string, content: string) => ({ uri: at, digest: sum(content), size: Buffer.byteLength(content) })
const honest: SkillEntry = {
  uri,
  frontmatter: { name: 'forms', description: 'How forms is done.' },
  resources: [file(uri, text), file(guide, 'Turn left.')],
}

/** A server that says of its skills whatever a test wants, and counts what is read. */
async function claiming(
  context: TestContext,
  entries: () => readonly unknown[],
  contents: { [uri: string]: string | Uint8Array } = { [uri]: text, [guide]: 'Turn left.' },
  limits: SkillLimits = {},
) {
  const reads: string[] = []
  const words = skills()
  const extension: ServerExtension = {
    ...words,
    server: () => ({
      serve: {
        'skills/list': () => ({ skills: entries(), ttlMs: 0, cacheScope: 'public' }),
        'skills/get': () => ({ skill: entries()[0], ttlMs: 0, cacheScope: 'public' }),
      },
    }),
  }
  const app = server({ ...quiet, name: 'claims', extensions: [extension] })
  app.template('skill://{+path}', { cache: { ttlMs: 60_000, scope: 'public' } }, (_, ctx) => {
    reads.push(ctx.uri)
    return contents[ctx.uri] ?? ''
  })
  const told: string[] = []
  const both = await join(app, { extensions: [skills({ limits })], onWarning: (message) => told.push(message) })
  context.after(() => both[Symbol.asyncDispose]())
  return { skills: both.client.skills, reads, contents, told, client: both.client }
}

test('skills: nothing is fetched before it is asked for, and each file once', async (context) => {
  const { skills, reads } = await claiming(context, () => [honest])
  const [entry] = await skills.list().all()
  assert.deepEqual(entry, honest)
  assert.deepEqual(reads, [])
  const skill = await skills.load(entry as SkillEntry)
  assert.deepEqual(reads, [uri])
  assert.equal(skill.body, '\nFollow [the guide](references/GUIDE.md).\n')
  assert.equal(skill.frontmatter.name, 'forms')
  assert.deepEqual(skill.files, ['SKILL.md', 'references/GUIDE.md'])
  const [one, other] = await Promise.all([skill.read('references/GUIDE.md'), skill.read('./references/GUIDE.md')])
  assert.equal(one.text, 'Turn left.')
  assert.equal(other, await skill.read(guide))
  assert.deepEqual(reads, [uri, guide])
})

test('skills: a skill is loaded by its address alone, listed or not', async (context) => {
  const { skills } = await claiming(context, () => [honest])
  assert.deepEqual((await skills.load(uri)).entry, honest)
  await assert.rejects(
    skills.get('skill://other/SKILL.md'),
    /the server answered with "skill:\/\/acme\/forms\/SKILL\.md"/,
  )
})

const lies: { readonly [what: string]: [content: string | Uint8Array, said: RegExp] } = {
  'other words of the same length': [text.replace('Follow', 'Ignore'), /its digest is sha256:\w+, not sha256:\w+/],
  'more bytes': [`${text}more`, /it has more than \d+ bytes/],
  'more bytes behind few letters': ['ü'.repeat(text.length), /it has \d+ bytes, not \d+/],
  'fewer bytes': [text.slice(0, -1), /it has \d+ bytes, not \d+/],
  'bytes without number': [new Uint8Array(1_000_000), /it has more than \d+ bytes/],
}
for (const [what, [content, said]] of Object.entries(lies)) {
  test(`skills: ${what} than listed are not used`, async (context) => {
    const { skills } = await claiming(context, () => [honest], { [uri]: content })
    await assert.rejects(skills.load(honest), { code: 'InvalidResponse', message: said })
  })
  test(`skills: ${what} than listed are not used in a file either, and it can be read again`, async (context) => {
    const contents: { [uri: string]: string | Uint8Array } = { [uri]: text, [guide]: content }
    const { skills } = await claiming(context, () => [honest], contents)
    const skill = await skills.load(honest)
    await assert.rejects(skill.read('references/GUIDE.md'), { code: 'InvalidResponse' })
    contents[guide] = 'Turn left.'
    assert.equal((await skill.read('references/GUIDE.md')).text, 'Turn left.')
  })
}

const written: { readonly [what: string]: [text: string, said: RegExp] } = {
  'another description': [text.replace('How forms', 'How money'), /differs from its entry in "description"/],
  'one more field': [skillText('forms', '', 'allowed-tools: Bash\n'), /differs from its entry in "allowed-tools"/],
  'no frontmatter': ['Just do it.', /the file must begin with a line "---"/],
  'frontmatter without a name': ['---\ndescription: x\n---\n', /"name" is undefined/],
}
for (const [what, [own, said]] of Object.entries(written)) {
  test(`skills: a SKILL.md with ${what} is not loaded, whatever its digest`, async (context) => {
    const entry = { ...honest, resources: [file(uri, own)] }
    const { skills } = await claiming(context, () => [entry], { [uri]: own })
    await assert.rejects(skills.load(uri), { code: 'InvalidResponse', message: said })
  })
}

const unusable: { readonly [what: string]: [entry: unknown, said: RegExp] } = {
  'no uri': [{ ...honest, uri: 7 }, /"uri" must be text/],
  'a uri of something else': [{ ...honest, uri: guide }, /"uri" must be the address of a SKILL\.md/],
  'a uri that climbs': [{ ...honest, uri: 'skill://a/../forms/SKILL.md' }, /"uri" must be the address of a SKILL\.md/],
  'another name than its address': [
    { ...honest, frontmatter: { ...honest.frontmatter, name: 'money' } },
    /its name is "money", but its address says "forms"/,
  ],
  'no frontmatter': [{ ...honest, frontmatter: undefined }, /frontmatter/],
  'frontmatter without end': [
    { ...honest, frontmatter: { ...honest.frontmatter, more: 'x'.repeat(140_000) } },
    /its frontmatter is larger than 65536 bytes/,
  ],
  'no files': [{ ...honest, resources: undefined }, /"resources" must be a list of files, or "dynamic"/],
  'a word for files': [{ ...honest, resources: 'all' }, /"resources" must be a list/],
  'a list without its SKILL.md': [{ ...honest, resources: [file(guide, '')] }, /lacks its own SKILL\.md/],
  'a file twice': [{ ...honest, resources: [file(uri, text), file(uri, text)] }, /is listed twice/],
  'a file of another skill': [
    { ...honest, resources: [file(uri, text), file('skill://acme/other/a.md', '')] },
    /"skill:\/\/acme\/other\/a\.md" is not in its directory/,
  ],
  'a file that climbs out': [
    { ...honest, resources: [file(uri, text), file('skill://acme/forms/../other/a.md', '')] },
    /it climbs out of its directory/,
  ],
  'a file that climbs out in disguise': [
    { ...honest, resources: [file(uri, text), file('skill://acme/forms/%2E%2e/a.md', '')] },
    /it climbs out of its directory/,
  ],
  'a file with a hidden slash': [
    { ...honest, resources: [file(uri, text), file('skill://acme/forms/..%2Fa.md', '')] },
    /is more than one name/,
  ],
  'a digest of another kind': [
    { ...honest, resources: [{ ...file(uri, text), digest: 'md5:00' }] },
    /the digest of ".*" is no "sha256:" and 64 digits/,
  ],
  'a size below nothing': [{ ...honest, resources: [{ ...file(uri, text), size: -1 }] }, /no whole number of bytes/],
  'more files than a skill has': [
    {
      ...honest,
      resources: [file(uri, text), ...Array.from({ length: 512 }, (_, at) => file(`skill://acme/forms/${at}`, ''))],
    },
    /it has more than 512 files/,
  ],
  'more bytes than a skill has': [
    { ...honest, resources: [file(uri, text), { ...file(guide, ''), size: 16_777_216 }] },
    /it has more than 16777216 bytes/,
  ],
}
for (const [what, [entry, said]] of Object.entries(unusable)) {
  test(`skills: an entry with ${what} is left out of the list and cannot be loaded`, async (context) => {
    const { skills, told, reads } = await claiming(context, () => [entry, honest])
    assert.deepEqual(await skills.list().all(), [honest])
    assert.match(told.join('\n'), said)
    await assert.rejects(skills.load(entry as SkillEntry), { code: 'InvalidResponse', message: said })
    assert.deepEqual(reads, [])
  })
}

test('skills: files are read by the entry that was loaded and no other; what it does not list is not asked for', async (context) => {
  const { skills, reads, contents } = await claiming(context, () => [honest])
  const skill = await skills.load(uri)
  contents['skill://acme/forms/new.md'] = 'new'
  for (const path of [
    'new.md',
    'skill://acme/forms/new.md',
    'skill://acme/other/a.md',
    'file:///etc/passwd',
    '../other/a.md',
    'references/../../x',
    'references//GUIDE.md',
    '/etc/passwd',
    '',
  ])
    await assert.rejects(skill.read(path), { code: 'InvalidResponse' }, path)
  assert.deepEqual(reads, [uri])
})

test('skills: after a change the entry is fetched anew, and so is what was kept for reuse', async (context) => {
  let entry = honest
  const { skills, contents, client } = await claiming(context, () => [entry])
  await client.resources.read(uri)
  await skills.load(uri)
  const before = await skillFingerprint(entry)
  contents[uri] = text.replace('Follow', 'Obey')
  entry = { ...honest, resources: [file(uri, contents[uri] as string), file(guide, 'Turn left.')] }
  await assert.rejects(skills.load(honest), /Get the skill again: it may have changed/)
  assert.match((await skills.load(uri)).body, /Obey/)
  assert.notEqual(await skillFingerprint(entry), before)
})

test('skillFingerprint: the same files in another order are the same skill, and a dynamic one has none', async () => {
  const turned = { ...honest, resources: [...(honest.resources as [])].reverse() }
  assert.equal(await skillFingerprint(turned), await skillFingerprint(honest))
  assert.equal(await skillFingerprint({ ...honest, resources: 'dynamic' }), undefined)
})

test('skills: a dynamic skill is loaded only where that is allowed, within the bytes that a skill may have', async (context) => {
  const entry = { ...honest, resources: 'dynamic' as const }
  const { skills } = await claiming(context, () => [entry], undefined, { maxBytesPerSkill: text.length + 12 })
  await assert.rejects(skills.load(uri), { code: 'Unsupported', message: /cannot be verified; allow it with/ })
  const skill = await skills.load(uri, { allowDynamic: true })
  assert.equal((await skill.read('references/GUIDE.md')).text, 'Turn left.')
  await assert.rejects(skill.read('references/GUIDE.md'), /it has more than 2 bytes/)
  await assert.rejects(skill.read('../x'), { code: 'InvalidResponse' })
})

test('skills: a server without skills is not asked for any', async () => {
  await using both = await join(server({ ...quiet, name: 'bare' }), { extensions: [skills()] })
  assert.equal(both.client.skills.offered, false)
  await assert.rejects(both.client.skills.list().all(), { code: 'Unsupported', outcome: 'NotSent' })
  await assert.rejects(both.client.skills.load(uri), { code: 'Unsupported' })
})
