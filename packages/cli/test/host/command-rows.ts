/** Every command, by what it prints in both outputs. */
import assert from 'node:assert/strict'
import { fixture } from '../run-cli.ts'

const shop = fixture('shop')

/** A command line, what it prints for people, and what is in its JSON; with `exit`, what its one line of JSON on stderr says. */
export interface Row {
  readonly args: readonly string[]
  readonly people: RegExp
  readonly exit?: number
  json(value: never): void
}

/** In this order: later rows find what earlier ones left. */
export const rows: { readonly [command: string]: Row } = {
  help: {
    args: ['help', 'ping'],
    people: /trunkline ping SERVER[\s\S]*Examples/,
    json: ({ name, options }: { name: string; options: object }) =>
      assert.deepEqual([name, 'timeout' in options], ['ping', true]),
  },
  completion: {
    args: ['completion', 'fish'],
    people: /complete -c trunkline/,
    json: ({ script }: { script: string }) => assert.match(script, /complete -c trunkline/),
  },
  add: {
    args: ['add', 'docs', 'https://docs.example/mcp'],
    people: /docs[\s\S]*trunkline accept docs/,
    json: ({ added }: { added: string }) => assert.equal(added, 'docs'),
  },
  remove: {
    args: ['remove', 'docs'],
    people: /docs/,
    json: ({ removed }: { removed: string }) => assert.equal(removed, 'docs'),
  },
  disable: {
    args: ['disable', 'three'],
    people: /^"three" is disabled in .*trunkline\.json\nUse it again: trunkline enable three\n$/,
    json: ({ disabled }: { disabled: string }) => assert.equal(disabled, 'three'),
  },
  enable: {
    args: ['enable', 'three'],
    people: /^"three" is enabled in .*trunkline\.json\nSee how it is doing: trunkline status three\n$/,
    json: ({ enabled }: { enabled: string }) => assert.equal(enabled, 'three'),
  },
  install: {
    args: ['install', 'cursor', '--dry-run'],
    people: /\+ .*"trunkline"/,
    json: ({ client, putIn }: { client: string; putIn: string[] }) =>
      assert.deepEqual([client, putIn], ['cursor', ['trunkline']]),
  },
  uninstall: {
    args: ['uninstall', 'cursor'],
    people: /"cursor" is not connected/,
    exit: 1,
    json: ({ message }: { message: string }) => assert.match(message, /"cursor" is not connected/),
  },
  accept: {
    args: ['accept', 'three'],
    people: /Only a person can decide this/,
    exit: 5,
    json: ({ code }: { code: string }) => assert.equal(code, 'NotInteractive'),
  },
  restart: {
    args: ['restart', 'one'],
    people: /^Server "one" is ready\n$/,
    json: ({ restarted }: { restarted: string }) => assert.equal(restarted, 'one'),
  },
  logs: {
    args: ['logs', 'one'],
    people: /about to speak/,
    json: ({ text, at }: { text: string; at: number }) => assert.deepEqual([text, at > 0], ['about to speak', true]),
  },
  login: {
    args: ['login', 'one'],
    people: /Cannot sign in to server "one": it is a program/,
    exit: 5,
    json: ({ message }: { message: string }) => assert.match(message, /"one"/),
  },
  logout: {
    args: ['logout', 'one'],
    people: /Signed out of "one"/,
    json: ({ signedOut }: { signedOut: string }) => assert.equal(signedOut, 'one'),
  },
  trust: {
    args: ['trust', 'one', '30m'],
    people: /Only a person can decide this/,
    exit: 5,
    json: ({ exit }: { exit: number }) => assert.equal(exit, 5),
  },
  taint: {
    args: ['taint'],
    people: /./,
    json: (value: object) => assert.equal(typeof value, 'object'),
  },
  outdated: {
    args: ['outdated'],
    people: /./,
    json: ({ programs }: { programs: unknown[] }) => assert.deepEqual(programs, []),
  },
  update: {
    args: ['update'],
    people: /Only a person can decide this/,
    exit: 5,
    json: ({ code }: { code: string }) => assert.equal(code, 'NotInteractive'),
  },
  diff: {
    args: ['diff', 'one'],
    people: /Nothing differs/,
    json: ({ changes }: { changes: unknown[] }) => assert.deepEqual(changes, []),
  },
  config: {
    args: ['config', 'explain', 'host.idleMinutes'],
    people: /host\.idleMinutes = 30/,
    json: ({ items }: { items: { key: string }[] }) => assert.equal(items[0]?.key, 'host.idleMinutes'),
  },
  grants: {
    args: ['grants'],
    people: /every tool that does not destroy of "two", for command/,
    json: ({ items }: { items: { server: string }[] }) => assert.equal(items[0]?.server, 'two'),
  },
  skills: {
    args: ['skills', 'diff'],
    people: /No skill differs from what you accepted/,
    json: ({ changes }: { changes: unknown[] }) => assert.deepEqual(changes, []),
  },
  forget: {
    args: ['forget'],
    people: /^Deleted: \d+ records?\n$/,
    json: ({ removed }: { removed: number }) => assert.equal(typeof removed, 'number'),
  },
  probe: {
    args: ['probe', '--anyway', 'one', 'echo', 'text=x'],
    people: /same/,
    json: ({ isSame }: { isSame: boolean }) => assert.equal(isSame, true),
  },
  record: {
    args: ['record', 'FOLDER/session.json', 'tools', ...shop],
    people: /^TOOL/,
    json: ({ tools }: { tools: unknown[] }) => assert.ok(tools.length > 0),
  },
  new: {
    args: ['new', 'FOLDER/project'],
    people: /project/,
    json: ({ files }: { files: string[] }) => assert.ok(files.includes('package.json')),
  },
  down: {
    args: ['down'],
    people: /^The host has ended\n$/,
    json: ({ stopped }: { stopped: number }) => assert.ok(stopped > 0),
  },
}

/** Commands that other tests run in both outputs, and the file that does. */
export const elsewhere: { readonly [command: string]: string } = {
  init: 'host/install.test.ts',
  up: 'host/up.test.ts',
  service: 'host/service.test.ts',
  open: 'host/tidy.test.ts',
  status: 'host/host.test.ts',
  ls: 'host/tidy.test.ts',
  tidy: 'host/tidy.test.ts',
  inbox: 'host/inbox.test.ts',
  doctor: 'doctor.test.ts',
  secret: 'host/secret.test.ts',
  policy: 'host/policy.test.ts',
  proof: 'host/proof.test.ts',
  lock: 'host/lock.test.ts',
  audit: 'host/tidy.test.ts',
  clients: 'host/stdio.test.ts',
  chat: 'host/chat.test.ts',
  pipe: 'host/pipe.test.ts',
  stdio: 'host/stdio.test.ts',
  tools: 'tools.test.ts',
  call: 'call.test.ts',
  resources: 'servers.test.ts',
  read: 'servers.test.ts',
  prompts: 'servers.test.ts',
  prompt: 'servers.test.ts',
  complete: 'servers.test.ts',
  watch: 'servers.test.ts',
  tasks: 'tasks.test.ts',
  ping: 'servers.test.ts',
  discover: 'servers.test.ts',
  raw: 'servers.test.ts',
  trace: 'servers.test.ts',
  replay: 'record.test.ts',
  dev: 'dev.test.ts',
  check: 'check.test.ts',
  wrap: 'openapi/requests.test.ts',
  test: 'authors.test.ts',
  repl: 'authors.test.ts',
  types: 'host/types.test.ts',
  version: 'usage.test.ts',
}

/** Commands of rows here that a test starts as a process anyway: in a terminal, in a shell, or to go on for a while. */
export const startedElsewhere = ['accept', 'completion', 'install', 'login', 'logs', 'record', 'trust', 'update']
