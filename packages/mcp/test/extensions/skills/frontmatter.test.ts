import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseSkillText } from '../../../src/extensions/skills/frontmatter.ts'
import { isSkillName, segmentsProblem, skillRoot } from '../../../src/extensions/skills/skill-uri.ts'
import { skillFolder, skillText } from './folder.ts'

const read = (yaml: string) => parseSkillText(`---\nname: a\ndescription: b\n${yaml}---\nBody`, 1_000).frontmatter

test('parseSkillText: everything that YAML can say and JSON can carry comes through as it was written', () => {
  assert.deepEqual(
    read(`text: |
  two
  lines
folded: >-
  one
  line
"quoted": 'it''s'
list: [1, 2.5, true, null, "3"]
nested: { deep: { er: yes } }
date: 2026-11-15
__proto__: { polluted: true }
# a comment
`),
    JSON.parse(`{
      "name": "a", "description": "b", "text": "two\\nlines\\n", "folded": "one line", "quoted": "it's",
      "list": [1, 2.5, true, null, "3"], "nested": { "deep": { "er": "yes" } }, "date": "2026-11-15",
      "__proto__": { "polluted": true }
    }`),
  )
  assert.equal(({} as { polluted?: boolean }).polluted, undefined)
})

test('parseSkillText: line ends of every system, a byte order mark and spaces behind the dashes are taken', () => {
  const { frontmatter, body } = parseSkillText('\uFEFF--- \r\nname: a\r\ndescription: b\r\n---\t\r\nBody\r\n', 1_000)
  assert.deepEqual(frontmatter, { name: 'a', description: 'b' })
  assert.equal(body, 'Body\r\n')
  assert.equal(parseSkillText('---\nname: a\ndescription: b\n---', 1_000).body, '')
})

test('parseSkillText: dashes inside of a line end nothing, and the limit counts bytes', () => {
  assert.equal(read('more: "a --- b"\n').more, 'a --- b')
  assert.throws(() => parseSkillText(`---\nname: a\ndescription: ${'ü'.repeat(40)}\n---\n`, 80), /larger than 80 bytes/)
  assert.throws(() => parseSkillText(`---\n${'x: y\n'.repeat(100)}`, 80), /larger than 80 bytes/)
})

test('isSkillName: lowercase letters, digits and single hyphens inside', () => {
  for (const name of ['a', 'a1', 'pdf-processing', 'a'.repeat(64)]) assert.ok(isSkillName(name), name)
  for (const name of ['', '-a', 'a-', 'a--b', 'A', 'ä', 'a_b', 'a'.repeat(65), 7])
    assert.ok(!isSkillName(name), `${name}`)
})

test('skillRoot and segmentsProblem: a path goes down, step by step', () => {
  assert.equal(skillRoot('skill://a/b/SKILL.md'), 'skill://a/b')
  assert.equal(skillRoot('github://o/r/skills/x/SKILL.md'), 'github://o/r/skills/x')
  for (const uri of [
    'skill://SKILL.md',
    'a/SKILL.md',
    'skill:///SKILL.md',
    'skill://a/SKILL.md?x',
    'skill://a//SKILL.md',
  ])
    assert.equal(skillRoot(uri), undefined, uri)
  for (const path of ['..', 'a/..', '%2e', 'a//b', '', 'a%2fb', 'a%5cb', 'a\\b', 'a%00', 'a?b', 'a#b', '%', '%ff'])
    assert.notEqual(segmentsProblem(path), undefined, path)
  for (const path of ['a', 'a/b.c', '...', 'a%20b', 'a%3Fb', 'ä']) assert.equal(segmentsProblem(path), undefined, path)
})

/** Runs a program of a few lines in the folder of the package. */
function run(source: string): string {
  const cwd = fileURLToPath(new URL('../../..', import.meta.url))
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module'], {
    cwd,
    input: source,
    encoding: 'utf8',
    timeout: 120_000,
  })
  assert.equal(status, 0, stderr)
  return stdout
}

test('loading: programs without skills load no YAML', () => {
  const urls = run(`import { registerHooks } from 'node:module'
    registerHooks({ load(url, context, next) { console.log(url); return next(url, context) } })
    for (const entry of ['', '/http', '/node', '/tasks', '/relay', '/testing']) await import('@trunkline/mcp' + entry)`)
  assert.match(urls, /server\.ts/)
  assert.doesNotMatch(urls, /node_modules\/yaml\//)
})

test('skills: a program that watches a directory and has nothing else to do ends', () => {
  using folder = skillFolder({ 'a/SKILL.md': skillText('a') })
  const listed = run(`import { server } from '@trunkline/mcp'
    import { skills } from '@trunkline/mcp/skills'
    import { join } from '@trunkline/mcp/testing'
    const app = server({ name: 'a', version: '1', extensions: [skills(${JSON.stringify(folder.root)})] })
    const { client } = await join(app, { extensions: [skills()] })
    console.log((await client.skills.list().all()).length)
    await client.close()`)
  assert.equal(listed.trim(), '1')
})
