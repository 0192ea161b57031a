import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { CommandContext } from '../src/command/command.ts'
import { parseCommandLine } from '../src/command/parse-command-line.ts'
import { refuseStrayWords } from '../src/command/refuse-stray-words.ts'
import { findCommand, runCommand } from '../src/command/run-command.ts'
import { everyCommandOptions } from '../src/command/shared-options.ts'
import { splitLine } from '../src/command/split-line.ts'
import { isLiteral, usageForms, wordsTaken } from '../src/command/usage-form.ts'
import type { Failure } from '../src/failure/failure.ts'
import { registry } from '../src/registry.ts'
import { fixture, runCli } from './run-cli.ts'

test('--version: says which', async () => {
  // the launcher answers it
  const launched = await runCli(['--version'], { inOwnProcess: true })
  assert.deepEqual(launched, { exit: 0, stdout: 'trunkline 0.1.0\n', stderr: '' })
  assert.equal(JSON.parse((await runCli(['version', '--json'])).stdout).node, process.versions.node)
})

test('--help: lists every command, and each has its own with an example', async () => {
  const { exit, stdout } = await runCli(['--help'])
  assert.equal(exit, 0)
  for (const [name, load] of Object.entries(registry)) {
    const command = await load()
    assert.equal(command.name, name)
    assert.ok(stdout.includes(`  ${name} `), name)
    assert.ok(stdout.includes(command.summary), name)
    assert.ok(command.examples.length > 0, name)
    assert.ok(command.json.length > 0, name)
    // a line of the list fits into a hundred columns
    assert.ok(command.summary.length <= 86, `${name}: ${command.summary.length}`)
    for (const { line } of command.examples) assert.match(line, /\btrunkline\b/)
  }
  assert.match(stdout, /Start here\n {2}trunkline init .*\n {2}trunkline install cursor .*\n {2}trunkline open /)
  assert.deepEqual(await runCli([]), { exit: 0, stdout, stderr: '' })
})

test('COMMAND --help: usage, options and examples', async () => {
  const { exit, stdout } = await runCli(['call', '--help'])
  assert.equal(exit, 0)
  assert.match(stdout, /^ {2}trunkline call SERVER TOOL \[NAME=VALUE…\]$/m)
  assert.match(stdout, /^ {2}--timeout SECONDS +Give up/m)
  assert.match(stdout, /^ {2}-q, --quiet +/m)
  assert.match(stdout, /Examples\n {2}# /)
  assert.equal((await runCli(['help', 'call'])).stdout, stdout)
})

const mistakes: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['an unknown command', ['tols'], /Cannot run "tols": there is no such command; did you mean "tools"\?/],
  ['an unknown option', ['tools', '--jsno', ...fixture('shop')], /Cannot use "--jsno": .*did you mean "--json"\?/],
  ['an option of no command', ['tools', '--frobnicate', ...fixture('shop')], /there is no such option; it takes --/],
  ['an option without its value', ['tools', '--revision', '--json', ...fixture('shop')], /needs a value/],
  [
    'a short option without its value',
    ['types', ...fixture('shop').slice(0, 1), '-o'],
    /it needs a value, as in -o FILE/,
  ],
  ['a value for an option that takes none', ['tools', '--quiet=1', ...fixture('shop')], /takes no value/],
  ['an option twice', ['tools', '--cwd=a', '--cwd=b', ...fixture('shop')], /twice/],
  ['no server', ['tools'], /none is named/],
  ['nothing after --', ['tools', '--'], /nothing follows "--"/],
  ['a server that is not configured', ['tools', 'github'], /no server of that name is configured/],
  ['an address without a scheme', ['tools', 'localhost:3000/mcp'], /did you mean "http:\/\/localhost:3000\/mcp"\?/],
  ['a file in the place of a server', ['tools', 'server.js'], /-- node server\.js/],
  ['a time that is none', ['tools', '--timeout=soon', ...fixture('shop')], /it takes seconds/],
  [
    'a variable that is not set',
    ['tools', '--env', 'NOT_SET_ANYWHERE', ...fixture('shop')],
    /NOT_SET_ANYWHERE is not set/,
  ],
  ['a header for a program', ['tools', '-H', 'A:b', ...fixture('shop')], /the server is a program/],
  ['no tool', ['call', ...fixture('shop')], /none is named/],
  ['a word too many', ['restart', 'one', 'two'], /Cannot use "two": "trunkline restart" takes no more words/],
  ['a word where none is taken', ['down', 'now'], /Cannot use "now": "trunkline down" takes no more words/],
  [
    'a word too many for an option',
    ['login', '--all', 'github'],
    /Cannot use "github": "trunkline login" takes no more/,
  ],
  ['a program where none is taken', ['status', '--', 'node'], /Cannot use "--": "trunkline status" takes no program/],
  ['an option of another verb', ['clients', '--approver'], /Cannot use "--approver" with "trunkline clients"/],
  ['an unknown verb', ['audit', 'qurey'], /Cannot do "audit qurey"; did you mean "query"\?/],
]

for (const [what, args, said] of mistakes) {
  test(`usage: ${what} is exit 1 and a sentence, in both outputs`, async () => {
    const { exit, stdout, stderr } = await runCli(args)
    assert.equal(exit, 1)
    assert.equal(stdout, '')
    assert.match(stderr, said)
    assert.doesNotMatch(stderr, /\n\s+at /)
    const at = args.indexOf('--')
    const own = at < 0 ? args : args.slice(0, at)
    const json = await runCli([...own, '--json', ...(at < 0 ? [] : args.slice(at))])
    assert.equal(json.exit, 1)
    const { error } = JSON.parse(json.stderr)
    assert.equal(error.exit, 1)
    assert.match(error.message, said)
  })
}

test('every form of every command: a word too many is refused by name, before anything is done', async () => {
  for (const load of Object.values(registry)) {
    const command = await load()
    for (const { written, slots, options, takesProgram } of usageForms(command)) {
      const words = slots.map((slot) => (isLiteral(slot) ? (slot.split('|')[0] ?? '') : 'x'))
      const forms = usageForms(command).filter((form) => form.takesProgram === takesProgram)
      const rivals = forms.filter((form) => form.options.join() === options.join())
      // this form or another one may have a place for it
      if (rivals.some((form) => wordsTaken(form, [...words, 'surplus']) > words.length)) continue
      const given = options.map((name) => (command.options[name]?.type === 'string' ? `--${name}=x` : `--${name}`))
      const line = [command.name, ...words, 'surplus', ...given, ...(takesProgram ? ['--', 'node'] : [])]
      const said = command.strayWord ?? `Cannot use "surplus": "trunkline ${command.name}" takes no`
      // it is refused before a command looks at anything but the line
      const context = { commands: registry } as unknown as CommandContext
      await assert.rejects(runCommand(line, context), ({ message, exit }: Failure) => {
        // a command with verbs takes it for one
        const isNamed = message.startsWith(said) || message.startsWith(`Cannot do "${command.name} surplus"`)
        assert.ok(isNamed, `${command.name} ${written}: ${message}`)
        return exit === 1
      })
    }
  }
})

test('every example of every command is a line that the command takes', async () => {
  for (const load of Object.values(registry)) {
    const { name, examples } = await load()
    for (const { line } of examples) {
      const lines = linesIn(line)
      assert.ok(lines.length > 0, line)
      for (const words of lines) await assert.doesNotReject(taken(words), `${name}: ${line}`)
    }
  }
})

/** The lines of this command among what a shell is given. */
function linesIn(example: string): readonly (readonly string[])[] {
  const words = splitLine(example.replace('<(', '&& ').replace(/\)$/, ''))
  const ends = [...words.keys()].filter((at) => /^(?:\|\|?|&&)$/.test(words[at] ?? ''))
  const lines = [-1, ...ends].map((end, at) => words.slice(end + 1, ends[at]))
  return lines.filter(([first]) => first === 'trunkline').map((line) => line.slice(1))
}

/** Reads a line as a command would, and those within it. */
async function taken([name = '', ...rest]: readonly string[]): Promise<void> {
  if (name.startsWith('--')) return
  const command = await findCommand(name, registry)
  if (command.takesRest) return taken(rest.slice(rest.findIndex((word) => word in registry)))
  const line = await parseCommandLine(rest, { ...command.options, ...everyCommandOptions })
  await refuseStrayWords(command, { ...line, isConnected: false })
  if (line.program?.[0] === 'trunkline') await taken(line.program.slice(1))
}

test('trunkline: works as an installed program, on whatever Node the machine has', () => {
  const bin = join(import.meta.dirname, '../../../node_modules/.bin/trunkline')
  const path = (process.env.PATH ?? '').split(':').filter((folder) => !folder.includes('node_modules'))
  const printed = execFileSync(bin, ['version'], { env: { ...process.env, PATH: path.join(':') }, encoding: 'utf8' })
  assert.match(printed, /^trunkline 0\.1\.0\nnode 2[2-9]\./)
})

test('--version: loads nothing but the launcher', () => {
  const folder = mkdtempSync(join(tmpdir(), 'launcher-'))
  // without sources, whatever else it loaded would be missing
  for (const path of ['bin/trunkline.js', 'package.json'])
    cpSync(join(import.meta.dirname, '..', path), join(folder, path))
  const printed = execFileSync(process.execPath, [join(folder, 'bin/trunkline.js'), '--version'], { encoding: 'utf8' })
  assert.equal(printed, 'trunkline 0.1.0\n')
  rmSync(folder, { recursive: true })
})
