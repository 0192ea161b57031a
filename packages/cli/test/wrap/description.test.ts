import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { runCli } from '../run-cli.ts'
import { newFolder, openWrapped, type ProgramResult, program, wrapped } from './wrapped.ts'

test('wrap -- git: used for real, from its own help', async () => {
  const folder = newFolder()
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' })
  git('init', '--quiet')
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--allow-empty', '--quiet', '-m', 'The first')
  writeFileSync(join(folder, '--all'), 'a file that looks like an option')
  await using at = await openWrapped(['--env', 'GIT_CONFIG_GLOBAL=/dev/null', '--', 'git'], { folder })
  const run = async (tool: string, input: object) =>
    (await at.client.tools.call(tool, input)).structuredContent as ProgramResult
  const tools = await at.client.tools.list().all()
  const names = tools.map(({ name }) => name)
  for (const name of ['status', 'log', 'add', 'commit', 'diff']) assert.ok(names.includes(name), name)
  assert.match((await run('log', {})).stdout, /The first/)
  assert.equal((await run('status', { porcelain: true })).stdout, '?? --all\n')
  assert.equal((await run('add', { pathspec: ['--all'] })).exitCode, 0)
  assert.equal((await run('status', { porcelain: true })).stdout, 'A  --all\n')
  const { isError, structuredContent } = await at.client.tools.call('log', { revision_range: 'no-such' })
  assert.equal(isError, true)
  assert.equal((structuredContent as ProgramResult).exitCode, 128)
  const option = await at.client.tools.call('log', { revision_range: '--output=stolen' })
  assert.equal(option.isError, true)
  assert.equal(existsSync(join(folder, 'stolen')), false)
})

test('wrap -- grep: used for real, with a pattern that looks like an option', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'text'), 'one\n--version\nthree\n')
  await using at = await openWrapped(['--', 'grep'], { folder })
  const [tool] = await at.client.tools.list().all()
  assert.deepEqual(tool?.inputSchema.required, ['patterns'])
  const input = { patterns: '--version', file_argument: ['text'], line_number: true, max_count: 1 }
  const { structuredContent } = await at.client.tools.call('grep', input)
  assert.equal((structuredContent as ProgramResult).stdout, '2:--version\n')
})

test('wrap --init: writes a description that can be served, and writes over nothing', async () => {
  const folder = newFolder()
  const file = join(folder, 'program.yaml')
  const init = ['wrap', '--init', file, '--', ...program]
  const { exit, stdout, stderr } = await runCli(init)
  assert.equal(exit, 0, stderr)
  assert.match(stdout, /2 tools/)
  const written = parse(readFileSync(file, 'utf8'))
  assert.deepEqual(written.tools[1], {
    name: 'words',
    description: 'Prints words',
    command: ['words'],
    options: [
      { name: 'size', flag: '--size', description: "The size; SIZE is 's' or 'l'", type: 'text', choices: ['s', 'l'] },
    ],
    arguments: [{ name: 'word', multiple: true }],
    endOfOptionsBefore: 'word',
  })
  const again = await runCli(init)
  assert.equal(again.exit, 1)
  assert.match(again.stderr, /is there already/)
  const json = await runCli(['wrap', '--json', '--init', join(folder, 'program.json'), '--', ...program])
  assert.equal(JSON.parse(json.stdout).tools, 2)
  await using at = await openWrapped([join(folder, 'program.json')], { folder })
  const { structuredContent } = await at.client.tools.call('words', { size: 'l', word: ['-x'] })
  assert.deepEqual((structuredContent as ProgramResult).value, ['--size=l', '--', '-x'])
})

test('wrap: resources, templates and prompts from the description', async () => {
  await using at = await wrapped({
    resources: [
      { uri: 'program://words', mimeType: 'application/json', command: ['words', 'a', 'b'] },
      { uri: 'program://words/{word}', name: 'word', command: ['words', '{word}', 'is-{word}'] },
      { uri: 'program://fails', command: ['both', '4'] },
    ],
    prompts: [{ name: 'review', text: 'Review {what}, {what}!', arguments: [{ name: 'what', required: true }] }],
  })
  const read = async (uri: string) => (await at.client.resources.read(uri)).contents[0]
  assert.deepEqual(await read('program://words'), {
    uri: 'program://words',
    mimeType: 'application/json',
    text: '["a","b"]\n',
  })
  const word = await read('program://words/x')
  assert.ok(word && 'text' in word)
  assert.equal(word.text, '["x","is-x"]\n')
  await assert.rejects(read('program://words/--evil'), /take it for an option/)
  await assert.rejects(read('program://fails'), /to stderr/)
  const { messages } = await at.client.prompts.get('review', { what: 'this' })
  assert.deepEqual(messages[0]?.content, { type: 'text', text: 'Review this, this!' })
})

test('wrap: a description that is wrong is refused with file, line and key', async () => {
  const file = join(newFolder(), 'wrong.yaml')
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['tools: []', /line 1: program: is required|line 1: .*program/],
    ['program: [git]\ntools:\n  - name: a\n    comand: [log]', /line 4: tools\[0\]\.comand/],
    [
      'program: [git]\ntools:\n  - name: a\n    options:\n      - name: x\n        flag: x',
      /line 6: tools\[0\]\.options\[0\]\.flag/,
    ],
    ['program: [git]\ntools:\n  - name: a\n  - name: a', /line 4: tools\[1\]\.name: another tool is called "a"/],
    ['program: [git]\ntools:\n  - name: a\n    endOfOptionsBefore: b', /line 4: .*there is no argument "b"/],
    ['program: [git\n', /line \d/],
  ]
  for (const [text, said] of wrong) {
    writeFileSync(file, text)
    const { exit, stderr } = await runCli(['wrap', file])
    assert.equal(exit, 1, stderr)
    assert.match(stderr, /Cannot use ".*wrong\.yaml", line/)
    assert.match(stderr, said)
  }
  for (const args of [['wrap'], ['wrap', '--', '/no/such/program'], ['wrap', 'a', 'b']]) {
    const { exit, stderr } = await runCli(args)
    assert.equal(exit, 1)
    assert.match(stderr, /^trunkline: Cannot /)
  }
})
