/**
 * Contents of a directory of skills that must not be served: each is refused by name, and takes no other skill along.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join as joinPath } from 'node:path'
import { type TestContext, test } from 'node:test'
import { InvalidParams, McpError, server } from '../../../src/index.ts'
import { relay } from '../../../src/relay.ts'
import { type SkillLimits, skills } from '../../../src/skills.ts'
import { join } from '../../../src/testing/revisions.ts'
import { quiet } from '../../fixtures/quiet.ts'
import { skillFolder, skillText } from './folder.ts'

type Folder = ReturnType<typeof skillFolder>

/** Serves a good skill beside what a test puts there; tells the names that are listed, and what the author was told. */
async function served(context: TestContext, spoil: (folder: Folder) => void, limits: SkillLimits = {}) {
  const folder = skillFolder({ 'good/SKILL.md': skillText('good') })
  context.after(() => folder[Symbol.dispose]())
  spoil(folder)
  const told: string[] = []
  const app = server({
    ...quiet,
    name: 'docs',
    onWarning: (message) => told.push(message),
    extensions: [skills(folder.root, { limits })],
  })
  context.after(() => app.close())
  const both = await join(app, { extensions: [skills()] })
  context.after(() => both[Symbol.asyncDispose]())
  const names = (await both.client.skills.list().all()).map(({ uri }) => uri)
  return { names, told: told.join('\n'), client: both.client }
}

const good = ['skill://good/SKILL.md']
const cases: { readonly [what: string]: [spoil: (folder: Folder) => void, told: RegExp, limits?: SkillLimits] } = {
  'a link to a file': [
    ({ root, write }) => {
      write('bad/SKILL.md', skillText('bad'))
      symlinkSync('/etc/passwd', joinPath(root, 'bad/passwords.txt'))
    },
    /Skill "bad" is not served: "passwords\.txt": it is a link/,
  ],
  'a link to a directory': [
    ({ root, write }) => {
      write('bad/SKILL.md', skillText('bad'))
      symlinkSync('/etc', joinPath(root, 'bad/etc'))
    },
    /Skill "bad" is not served: "etc": it is a link/,
  ],
  'a SKILL.md that is a link': [
    ({ root }) => {
      mkdirSync(joinPath(root, 'bad'))
      symlinkSync('../good/SKILL.md', joinPath(root, 'bad/SKILL.md'))
    },
    /Skill "bad" is not served: "SKILL\.md": it is a link/,
  ],
  'a whole skill behind a link': [
    ({ root }) => symlinkSync('good', joinPath(root, 'twin')),
    /"[^"]*twin" is left out: it is a link/,
  ],
  'a link that leads in a circle': [
    ({ root, write }) => {
      write('bad/SKILL.md', skillText('bad'))
      symlinkSync('..', joinPath(root, 'bad/again'))
    },
    /"again": it is a link/,
  ],
  'a pipe': [
    ({ root, write }) => {
      write('bad/SKILL.md', skillText('bad'))
      execFileSync('mkfifo', [joinPath(root, 'bad/pipe')])
    },
    /"pipe": it is neither a file nor a directory/,
  ],
  'too many files': [
    ({ write }) => {
      write('bad/SKILL.md', skillText('bad'))
      for (let at = 0; at < 20; at++) write(`bad/${at}.txt`, '')
    },
    /Skill "bad" is not served: "[^"]+": the skill has more than 20 files/,
    { maxFilesPerSkill: 20 },
  ],
  'too many bytes in one file': [
    ({ write }) => {
      write('bad/SKILL.md', skillText('bad'))
      write('bad/huge.bin', new Uint8Array(16_777_217))
    },
    /Skill "bad" is not served: "huge\.bin": the skill has more than 16777216 bytes/,
  ],
  'too many bytes in all files': [
    ({ write }) => {
      write('bad/SKILL.md', skillText('bad'))
      for (let at = 0; at < 5; at++) write(`bad/${at}.txt`, 'x'.repeat(100))
    },
    /the skill has more than 450 bytes/,
    { maxBytesPerSkill: 450 },
  ],
  'directories too deep': [
    ({ write }) => {
      write('bad/SKILL.md', skillText('bad'))
      write(`bad/${'deeper/'.repeat(40)}end.txt`, '')
    },
    /Skill "bad" is not served: "[^"]+": it is more than 16 directories deep/,
  ],
  'directories too deep in no skill': [
    ({ write }) => write(`${'deeper/'.repeat(40)}bad/SKILL.md`, skillText('bad')),
    /is left out: it is more than 16 directories deep/,
  ],
  'no frontmatter': [
    ({ write }) => write('bad/SKILL.md', '# Bad'),
    /Skill "bad" is not served: .*must begin with a line/,
  ],
  'frontmatter without an end': [
    ({ write }) => write('bad/SKILL.md', '---\nname: bad\n'),
    /the line "---" that ends it is missing/,
  ],
  'frontmatter that is no YAML': [
    ({ write }) => write('bad/SKILL.md', '---\nname: [bad\n---\n'),
    /it is not valid YAML/,
  ],
  'frontmatter that is a list': [({ write }) => write('bad/SKILL.md', '---\n- bad\n---\n'), /it is no list of names/],
  'frontmatter that is empty': [({ write }) => write('bad/SKILL.md', '---\n---\n'), /it is no list of names/],
  'no description': [({ write }) => write('bad/SKILL.md', '---\nname: bad\n---\n'), /"description" must be text/],
  'a description that is too long': [
    ({ write }) => write('bad/SKILL.md', `---\nname: bad\ndescription: ${'x'.repeat(1_025)}\n---\n`),
    /its "description" is longer than 1024 characters/,
  ],
  'a name that is none': [
    ({ write }) => write('Bad_One/SKILL.md', skillText('Bad_One')),
    /"name" is "Bad_One", but a name has 1 to 64 lowercase letters/,
  ],
  'a name that is not that of its directory': [
    ({ write }) => write('bad/SKILL.md', skillText('worse')),
    /its "name" is "worse", but its directory is "bad"/,
  ],
  'a SKILL.md that is not UTF-8': [
    ({ write }) => write('bad/SKILL.md', new Uint8Array([0x2d, 0x2d, 0x2d, 0xff])),
    /SKILL\.md is not UTF-8/,
  ],
  'frontmatter that is too large': [
    ({ write }) => write('bad/SKILL.md', skillText('bad', '', `more: ${'x'.repeat(70_000)}\n`)),
    /it is larger than 65536 bytes/,
  ],
  'frontmatter that multiplies itself': [
    ({ write }) => write('bad/SKILL.md', skillText('bad', '', laughs)),
    /Skill "bad" is not served: .*(Excessive alias count|grows to more)/,
  ],
  'frontmatter that is nested without end': [
    ({ write }) => write('bad/SKILL.md', skillText('bad', '', `more: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`)),
    /Skill "bad" is not served: .*(nested more than|not valid YAML)/,
  ],
  'frontmatter that JSON cannot carry': [
    ({ write }) => write('bad/SKILL.md', skillText('bad', '', 'more: .nan\n')),
    /JSON has no number NaN/,
  ],
  'a name that stands there twice': [
    ({ write }) => write('bad/SKILL.md', skillText('bad', '', 'license: MIT\nlicense: GPL\n')),
    /it is not valid YAML \(Map keys must be unique/,
  ],
  'a directory SKILL.md': [
    ({ write }) => write('bad/SKILL.md/file.txt', ''),
    /Skill "bad" is not served: "SKILL\.md" is no file/,
  ],
}

const laughs = ['a: &a [lol,lol,lol,lol,lol,lol,lol,lol,lol]']
  .concat([...'bcdefghi'].map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`).join()}]`))
  .map((line) => `${line}\n`)
  .join('')

for (const [what, [spoil, expected, limits]] of Object.entries(cases)) {
  test(`skills: ${what} is refused, and the good skill is served`, async (context) => {
    const { names, told } = await served(context, spoil, limits)
    assert.match(told, expected)
    assert.deepEqual(names, good)
  })
}

test('skills: files beyond the limit of entries are not served, and the author is told', async (context) => {
  const spoil = ({ write }: Folder): void => {
    for (let at = 0; at < 50; at++) write(`heap/${at}.txt`, '')
  }
  const { told } = await served(context, spoil, { maxEntriesRead: 20 })
  assert.match(told, /"[^"]*heap" is left out: there are more than 20 files and directories/)
})

test('skills: a directory that becomes a link after it was listed leads nowhere', async (context) => {
  let root = ''
  const { client, names } = await served(context, (folder) => {
    root = folder.root
    folder.write('later/SKILL.md', skillText('later'))
    folder.write('later/docs/passwd', 'nothing')
  })
  assert.equal(names.length, 2)
  execFileSync('rm', ['-r', joinPath(root, 'later/docs')])
  symlinkSync('/etc', joinPath(root, 'later/docs'))
  await assert.rejects(client.resources.read('skill://later/docs/passwd'), { code: InvalidParams })
})

test('skills: a directory that is not there, or is none, is refused when the server is made', () => {
  using folder = skillFolder({ 'a.txt': '' })
  const make = (path: string | URL, options = {}) =>
    server({ ...quiet, name: 'docs', extensions: [skills(path, options)] })
  const misuse = (message: RegExp) => (error: unknown) =>
    error instanceof McpError && error.code === 'Misuse' && message.test(error.message)
  assert.throws(() => make(joinPath(folder.root, 'none')), misuse(/Cannot serve skills from ".*none": ENOENT/))
  assert.throws(() => make(joinPath(folder.root, 'a.txt')), misuse(/it is not a directory/))
  assert.throws(() => make(new URL('https://example.com/')), misuse(/Cannot serve skills from "https/))
  assert.throws(() => make(folder.root, { limits: { maxFiles: 3 } }), misuse(/"limits\.maxFiles": no such limit here/))
  assert.throws(() => skills(7 as never), misuse(/Cannot serve skills from a number: name a directory/))
  assert.throws(() => server({ ...quiet, name: 'docs', extensions: [skills()] }), misuse(/name a directory/))
  const extensions = [skills(folder.root)]
  const behind = { name: 'gate', version: '1', capabilities: {}, handle: () => ({}), extensions }
  assert.throws(() => relay(behind as never), misuse(/a relay has none/))
})

test('skills: a directory that is a skill itself is not taken for a directory of skills', async (context) => {
  const { told } = await served(context, ({ root }) => writeFileSync(joinPath(root, 'SKILL.md'), skillText('all')))
  assert.match(told, /is a skill itself: name the directory that it is in/)
})
