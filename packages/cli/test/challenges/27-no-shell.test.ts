import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { runningHost } from '../../../host/test/gateway/running-host.ts'
import { fixture, runCli } from '../run-cli.ts'
import { newFolder, type ProgramResult, wrapped } from '../wrap/wrapped.ts'

const root = join(import.meta.dirname, '../../../..')
const evil = [
  '$(touch evil)',
  '; touch evil',
  '`touch evil`',
  '&& touch evil',
  '| tee evil',
  '> evil',
  '* ?',
  'a b',
  '',
  "it's",
  '"',
  '\\',
  '%PATH%',
  '$HOME',
]

/** Ways to hand a line to a shell. */
const shells = [
  /\bshell:(?!\s*false)/,
  /\b(?:exec|execSync)\s*\(\s*[`'"]/,
  /from 'node:child_process'[\s\S]*?(?<![.\w])exec(?:Sync)?\(/,
  /['"`](?:\/bin\/|\/usr\/bin\/)?(?:sh|bash|zsh|dash|cmd(?:\.exe)?|powershell(?:\.exe)?)['"`]\s*,\s*\[/,
  /\/bin\/sh\b/,
]

/**
 * Files that run a shell, with words of ours alone; values reach it as parameters or variables, which it does not read
 * again.
 */
const known = [
  // makes the terminal of a program: "script" takes a line, which holds the numbers of variables
  'packages/authoring/src/wrap/terminal-run.ts',
  // ends what a server left when this process is gone; it must outlive it
  'packages/mcp/src/transports/stdio/supervisor.ts',
]

test('no source starts a shell, but for two with fixed words', () => {
  const sources = globSync('packages/{*,servers/*}/{src,bin}/**/*.{ts,tsx,js}', { cwd: root }).filter(
    (path) => !/\.test\./.test(path),
  )
  assert.ok(sources.length > 500, String(sources.length))
  const found = sources.filter((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return text.includes('node:child_process') && shells.some((shell) => shell.test(text))
  })
  assert.deepEqual(found.sort(), known)
})

test('arguments with characters of shells arrive as they are: of a program, of a server, of a call', async () => {
  const folder = newFolder()
  const words = { name: 'words', command: ['words'], arguments: [{ name: 'word', multiple: true }] }
  await using at = await wrapped({ tools: [words] }, { folder })
  const called = await at.client.tools.call('words', { word: evil })
  assert.deepEqual((called.structuredContent as ProgramResult).value, evil)

  const spec = {
    name: 'own',
    launch: {
      kind: 'program',
      command: process.execPath,
      args: [programFile(new URL('../fixtures/argv.ts', import.meta.url)), ...evil],
      cwd: folder,
      env: { EVIL: '$(touch evil)' },
    },
  } as const
  await using running = await runningHost({ servers: [spec], mode: 'observe' })
  await using client = await running.dial()
  const { content } = await client.tools.call('own__argv', {})
  assert.equal(content[0]?.type === 'text' && content[0].text, JSON.stringify([...evil, '$(touch evil)']))

  const { stdout } = await runCli(['call', 'order', `item=${evil.join('')}`, '--json', ...fixture('shop', ...evil)], {
    cwd: folder,
  })
  assert.equal(JSON.parse(JSON.parse(stdout).content[0].text).item, evil.join(''))
  for (const place of [folder, root, process.cwd()]) assert.equal(existsSync(join(place, 'evil')), false, place)
})

test('wrap: no value becomes an option', async () => {
  const word = { name: 'word', multiple: true }
  await using at = await wrapped({
    tools: [
      { name: 'plain', command: ['words'], arguments: [word] },
      {
        name: 'ended',
        command: ['words'],
        arguments: [{ name: 'first' }, word],
        endOfOptionsBefore: 'word',
        options: [
          { name: 'size', flag: '--size', choices: ['s', 'l'] },
          { name: 'note', flag: '--note', type: 'text' },
          { name: 'n', flag: '-n', type: 'text' },
          { name: 'all', flag: '--all' },
        ],
      },
    ],
  })
  const refused = await at.client.tools.call('plain', { word: ['--output=/etc/passwd'] })
  assert.equal(refused.isError, true)
  assert.match(JSON.stringify(refused.content), /would take it for an option/)
  const ended = { size: 's', note: '--x', all: true, first: 'one', word: ['--output=x', '-'] }
  const { structuredContent } = await at.client.tools.call('ended', ended)
  const value = ['--size=s', '--note=--x', '--all', 'one', '--', '--output=x', '-']
  assert.deepEqual((structuredContent as ProgramResult).value, value)
  for (const input of [{ n: '-x' }, { first: '-x' }, { size: 'm' }, { sise: 's' }]) {
    const { isError } = await at.client.tools.call('ended', input)
    assert.equal(isError, true, JSON.stringify(input))
  }
})
