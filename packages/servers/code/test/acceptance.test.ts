import assert from 'node:assert/strict'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { showWords } from '@trunkline/base/show-words'
import { openCode, quick, sandbox, scripted } from './sandbox.ts'

const place = { path: 'a.scripted', line: 1, name: 'one' }
const files = { 'a.scripted': 'one two\n' }

/** Answers questions of the server, and keeps their texts. */
function answering(...answers: ('yes' | 'no' | 'always' | 'decline')[]) {
  const questions: string[] = []
  const elicitation = async ({ message }: { message: string }) => {
    questions.push(message)
    const start = answers.shift() ?? 'no'
    return start === 'decline' ? { action: 'decline' as const } : { action: 'accept' as const, content: { start } }
  }
  return { questions, options: { elicitation } as never }
}

test('a language server is not started before its command is accepted; the refusal says what would run and where', async () => {
  using box = sandbox(files)
  const language = scripted('fine', box.diary)
  await using code = await openCode({ directories: [box.root], languages: [language], accept: [] })
  const refused = await code.call('get_hover', place)
  assert.equal(refused.problem, 'refused')
  assert.match(refused.text, /^Cannot start the language server of scripted: nobody has accepted its command\n/)
  assert.ok(refused.text.includes(`--accept '${showWords(language.command ?? [])}'`))
  assert.ok(refused.text.includes(JSON.stringify(box.root)))
  for (const tool of ['list_diagnostics', 'list_symbols']) {
    assert.equal((await code.call(tool, tool === 'list_symbols' ? { query: 'one' } : {})).problem, 'refused')
  }
  const [server] = (await code.call('list_servers')).structured.items
  assert.deepEqual([server.state, server.why], ['notAccepted', 'the person has not accepted its command'])
  await assert.rejects(code.client.resources.read('code://shop/diagnostics'))
  assert.equal(existsSync(box.diary), false)
})

test('where the client can be asked, the person is: no starts nothing, yes holds until the end, another command asks again', async () => {
  using box = sandbox(files)
  const language = scripted('fine', box.diary)
  const { questions, options } = answering('no', 'decline', 'yes')
  await using code = await openCode(
    { directories: [box.root], languages: [language], accept: ['another command'] },
    options,
  )
  assert.match((await code.call('get_hover', place)).text, /the person did not accept its command/)
  assert.equal((await code.call('get_hover', place)).problem, 'refused')
  assert.equal(existsSync(box.diary), false)
  assert.equal((await code.call('get_hover', place)).text, 'hover of a.scripted')
  assert.equal((await code.call('get_hover', place)).text, 'hover of a.scripted')
  assert.equal(questions.length, 3)
  assert.match(questions[0] ?? '', /^Start the language server of scripted\?\nIt runs: /)
  assert.ok(questions[0]?.includes(`It runs: ${showWords(language.command ?? [])}\nin: ${box.root}\n`))
})

test('"always" is kept in a file for that command in that project, and for no other', async () => {
  using box = sandbox(files)
  const acceptedFile = join(box.outside, 'accepted.json')
  const options = { directories: [box.root], languages: [scripted('fine')], accept: [], acceptedFile }
  {
    const { options: asking } = answering('always')
    await using code = await openCode(options, asking)
    assert.equal((await code.call('get_hover', place)).text, 'hover of a.scripted')
  }
  await using again = await openCode(options)
  assert.equal((await again.call('get_hover', place)).text, 'hover of a.scripted')
  assert.match(readFileSync(acceptedFile, 'utf8'), /"project": ".*shop"/)
  await using other = await openCode({ ...options, languages: [scripted('other')] })
  assert.equal((await other.call('get_hover', place)).problem, 'refused')
})

test('bad input says what happened and what to do: files that are outside, missing, binary or in no known language', async () => {
  using box = sandbox({
    ...files,
    'picture.scripted': new Uint8Array([1, 0, 2]),
    'notes.txt': 'one\n',
    'a.go': 'package a\n',
  })
  symlinkSync(join(box.outside, 'secret.scripted'), join(box.root, 'link.scripted'))
  const languages = [scripted('fine'), { name: 'go', files: ['.go'], command: ['no-such-program-here'] }]
  await using code = await openCode({ directories: [box.root], languages, limits: { ...quick, maxFileBytes: 1_000 } })
  const symbols = (path: string) => code.call('list_symbols', { path })
  for (const path of [
    '../outside/secret.scripted',
    'link.scripted',
    '/etc/passwd',
    join(box.outside, 'none.scripted'),
  ]) {
    const { text, problem } = await symbols(path)
    assert.match(text, /it lies outside of the directories that this server may use/)
    assert.equal(problem, 'refused')
  }
  assert.equal((await symbols('none.scripted')).problem, 'not_found')
  assert.match((await symbols('picture.scripted')).text, /it is a binary file, no text\nName a source file/)
  assert.match((await symbols('.')).text, /it is a directory/)
  const unknown = await symbols('notes.txt')
  assert.equal(unknown.problem, 'unavailable')
  assert.match(unknown.text, /no language server is configured for such files\nConfigure one with --language/)
  const missing = await symbols('a.go')
  assert.match(missing.text, /there is no program "no-such-program-here"\nInstall it, or configure another command/)
  box.write('large.scripted', 'x'.repeat(2_000))
  assert.match((await symbols('large.scripted')).text, /it has 2000 bytes, more than 1000/)
  assert.match((await code.call('get_syntax', { path: 'a.go', query: '(nonsense' })).text, /Cannot run this query: "/)
  assert.match((await code.call('get_syntax', { path: 'a.go' })).text, /package_clause 1/)
  assert.equal((await code.call('list_symbols', { query: 'one', cursor: 'made up' })).problem, 'refused')
})

test('roots: of the projects only what lies in the roots of the client is read', async () => {
  using box = sandbox({ 'src/a.scripted': 'one\n', 'a.scripted': 'one\n' })
  const roots = [{ uri: pathToFileURL(join(box.root, 'src')).href }]
  const languages = [scripted('fine', '', join(box.root, 'a.scripted'))]
  await using code = await openCode({ directories: [box.root], languages, limits: quick }, { roots })
  assert.equal((await code.call('get_hover', place)).text, 'hover of a.scripted')
  assert.deepEqual((await code.call('list_diagnostics')).structured, { items: [], total: 0 })
  assert.equal((await code.call('list_symbols', { query: 'one' })).text, 'Nothing found')
  const above = await code.call('get_hover', { ...place, path: join(box.root, 'a.scripted') })
  assert.equal(above.problem, 'refused')
  await assert.rejects(code.client.resources.read('code://shop/diagnostics'), /outside/)
})

test('get_syntax: the tree of some lines, or the captures of a query, which says how many there are', async () => {
  const many = Array.from({ length: 400 }, (_, at) => `export function functionWithALongName${at}(): void {}`)
  using box = sandbox({ 'a.ts': 'export function add(a: number) {\n  return a\n}\n', 'many.ts': many.join('\n') })
  await using code = await openCode({ directories: [box.root] })
  const tree = await code.call('get_syntax', { path: 'a.ts', from: 2, lines: 1 })
  assert.match(tree.text, /^program 1-4\n[\s\S]*function_declaration 1-3 "add"\n[\s\S]*return_statement 2\n/)
  assert.ok(!tree.text.includes('required_parameter'))
  const query = '(function_declaration name: (identifier) @name)'
  const captured = await code.call('get_syntax', { path: 'a.ts', query })
  assert.deepEqual(captured.structured.items, [{ name: 'name', line: 1, text: 'add' }])
  const all = await code.call('get_syntax', { path: 'many.ts', query })
  assert.equal(all.structured.total, 400)
  assert.match(all.text, /\[\d+ of 400\]\n\[for the others name "from" and "lines"\]$/)
  assert.deepEqual(code.code.state().running, [])
})
