import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCommands } from './command-list.ts'
import { toolFromHelp } from './parse-help.ts'

const read = (help: string, program: readonly string[] = ['prog'], command: readonly string[] = []) =>
  toolFromHelp(help, { name: 'prog', program, command })

const optionsOf = (help: string) =>
  Object.fromEntries((read(help).options ?? []).map((option) => [option.name, option]))

test('toolFromHelp: options as GNU programs list them', () => {
  const { max_count, quiet, binary_files, color, I, help } = optionsOf(`Usage: prog [OPTION]... FILE
  -m, --max-count=NUM       stop after NUM lines
  -q, --quiet, --silent     suppress all output
      --binary-files=TYPE   assume that binary files are TYPE;
                            TYPE is 'binary', 'text', or 'without-match'
  -I                        equivalent
      --color[=WHEN],
      --colour[=WHEN]       use markers; WHEN is 'always', 'never', or 'auto'
      --help                display this help and exit
`)
  assert.deepEqual([max_count?.flag, max_count?.type], ['--max-count', 'number'])
  assert.deepEqual(quiet, { name: 'quiet', flag: '--quiet', description: 'suppress all output' })
  assert.deepEqual(binary_files?.choices, ['binary', 'text', 'without-match'])
  assert.deepEqual([color?.choices, color?.valueOptional], [['always', 'never', 'auto'], true])
  assert.equal(I?.flag, '-I')
  assert.equal(help, undefined)
})

test('toolFromHelp: options as argparse, clap, cobra, commander and git list them', () => {
  const argparse = optionsOf(`usage: prog [-h] [--level {low,high}] [-f FILE] name [name ...]

options:
  -h, --help            show this help message and exit
  --level {low,high}    how much
  -f FILE, --file FILE  a file
`)
  assert.deepEqual(argparse.level?.choices, ['low', 'high'])
  assert.deepEqual([argparse.file?.flag, argparse.file?.type], ['--file', 'text'])
  const clap = optionsOf(`Usage: prog [OPTIONS] <PATH>

Options:
  -n, --num <N>        How many [default: 3]
      --mode <MODE>    Which one [possible values: fast, slow]
  -v, --verbose...     Say more
`)
  assert.equal(clap.num?.type, 'integer')
  assert.deepEqual(clap.mode?.choices, ['fast', 'slow'])
  const cobra = optionsOf(`Usage:
  prog get [flags]

Flags:
  -o, --output string    One of: (json, yaml, wide)
      --names strings    names
  -A, --all              all of them
`)
  assert.deepEqual(cobra.output?.choices, ['json', 'yaml', 'wide'])
  assert.equal(cobra.names?.multiple, true)
  assert.equal(cobra.all?.type, undefined)
  const git = optionsOf(`usage: git x
    --[no-]status         include status
    -u, --untracked-files[=<mode>]
                          show files, optional modes: all, normal, no. (Default: all)
    -m, --message <message>
                          commit message
`)
  assert.equal(git.status?.flag, '--status')
  assert.deepEqual([git.untracked_files?.choices, git.untracked_files?.valueOptional], [['all', 'normal', 'no'], true])
  assert.deepEqual([git.message?.type, git.message?.description], ['text', 'commit message'])
})

test('toolFromHelp: arguments and the end of options, from usage lines', () => {
  const usages: readonly (readonly [usage: string, names: string, required: string, end: string | undefined])[] = [
    ['usage: prog status [<options>] [--] [<pathspec>...]', 'pathspec*', '', 'pathspec'],
    ['usage: prog status [<options>] [<range>] [[--] <path>...]', 'range path*', '', 'path'],
    [
      'usage: prog status [-a | -b] [(-c | -d) <x>)] [-m <msg>] SOURCE... DEST',
      'source* dest',
      'source dest',
      undefined,
    ],
    ['usage: prog status [<options>] [<repository> [<refspec>...]]', 'repository refspec*', '', undefined],
    ['usage: prog status [-l]\n   or: prog status <name> [<start>]', 'name start', '', undefined],
    ['usage: prog log <a>\n   or: prog status <object>...', 'object*', 'object', undefined],
    ['usage: prog status name [name ...]', 'name*', 'name', undefined],
    [
      'Usage:\tprog status [options] <a filter> [file...]\n\tprog status [options] --args <a filter> [strings...]\n',
      'a_filter file*',
      'a_filter',
      undefined,
    ],
    ['usage: prog status SOURCE DEST\n   or: prog status SOURCE... FOLDER', 'source dest', 'source', undefined],
  ]
  for (const [usage, names, required, end] of usages) {
    const { arguments: own = [], endOfOptionsBefore } = read(usage, ['prog'], ['status'])
    assert.equal(own.map(({ name, multiple }) => (multiple ? `${name}*` : name)).join(' '), names, usage)
    assert.equal(
      own
        .filter((argument) => argument.required)
        .map(({ name }) => name)
        .join(' '),
      required,
      usage,
    )
    assert.equal(endOfOptionsBefore, end, usage)
  }
})

test('readCommands: under headings of any kind, and never what is a list of something else', () => {
  const cobra =
    'Usage:\n  prog [command]\n\nAvailable Commands:\n  get      Gets\n  set      Sets\n  help     Help about any command\n\nFlags:\n  -v   verbose\n'
  assert.deepEqual(
    readCommands(cobra).map(({ name }) => name),
    ['get', 'set'],
  )
  const git =
    'usage: git <command> [<args>]\n\nThese are common Git commands:\n\nstart a working area\n   clone     Clone it\n   init      Make it\n\nSee more\n'
  assert.deepEqual(readCommands(git), [
    { name: 'clone', summary: 'Clone it' },
    { name: 'init', summary: 'Make it' },
  ])
  assert.deepEqual(readCommands('Usage: grep [OPTION]... PATTERNS\n\nMiscellaneous:\n  abc  def\n'), [])
})
