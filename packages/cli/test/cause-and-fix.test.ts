import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCli } from './run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'mistakes-'))
const file = join(folder, 'file')
const full = join(folder, 'full')
const policy = join(folder, 'policy.json')
writeFileSync(file, '')
mkdirSync(full)
writeFileSync(join(full, 'notes.txt'), '')
writeFileSync(policy, '{ "policy": { "deny": ["a:b{"] } }')
const usualHome = join(folder, 'home')

const page = createServer((request, response) => {
  response.writeHead(request.url === '/refused' ? 405 : 200, { 'content-type': 'text/html' }).end('<!doctype html>')
})
await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
const site = `http://127.0.0.1:${(page.address() as AddressInfo).port}`

test.after(() => {
  page.close()
  rmSync(folder, { recursive: true })
})

interface Mistake {
  readonly args: readonly string[]
  readonly exit: number
  /** All of stderr, or of the output for a finding. */
  readonly says: readonly RegExp[]
  /** The home, where it is the mistake. */
  readonly home?: string
}

const node = process.execPath
const twins = join(import.meta.dirname, 'fixtures/twins.mjs')
const missing = join(folder, 'missing.js')

const mistakes: { readonly [what: string]: Mistake } = {
  'a script that is missing': {
    args: ['tools', '--', node, missing],
    exit: 4,
    says: [
      /^trunkline: Server "node" exited with code 1: there is no file ".*missing\.js"; correct the path, or create it\n$/,
    ],
  },
  'a script that is missing, to doctor': {
    args: ['doctor', '--', node, missing],
    exit: 2,
    says: [/no binary: It starts ".*missing\.js", which is not there\n {2}ls -l .*missing\.js\n/],
  },
  'a dead address': {
    args: ['tools', 'http://127.0.0.1:9/mcp'],
    exit: 4,
    says: [
      /^trunkline: Cannot reach http:\/\/127\.0\.0\.1:9\/mcp: nothing listens on port 9 of 127\.0\.0\.1 \(ECONNREFUSED\); start the server, or correct the address\n$/,
    ],
  },
  'a host that does not exist': {
    args: ['tools', 'http://no-such-host.invalid/mcp'],
    exit: 4,
    says: [/the name "no-such-host\.invalid" cannot be looked up \(E\w+\); check its spelling and the network/],
  },
  'a web page': {
    args: ['tools', `${site}/`],
    exit: 3,
    says: [
      /^trunkline: Cannot use \S+: a web page stands there, not an MCP server; the address of a server often ends in "\/mcp"\n$/,
    ],
  },
  'a web page that takes no POST': {
    args: ['tools', `${site}/refused`],
    exit: 4,
    says: [/405 Method Not Allowed: a web page stands there, not an MCP server/],
  },
  'a web page, to doctor': {
    args: ['doctor', `${site}/`],
    exit: 2,
    says: [/ web page: \S+ is a web page, not an MCP server; look up .*\n {2}trunkline doctor http:\S+\/mcp\n/],
  },
  ...Object.fromEntries(
    [['tools'], ['doctor'], ['add', 'foo']].map((words): [string, Mistake] => [
      `a scheme with a letter missing, to ${words[0]}`,
      {
        args: [...words, 'htp://foo/mcp'],
        exit: 1,
        says: [
          /^trunkline: Cannot use "htp:\/\/foo\/mcp": no server has an address with "htp:\/\/"; did you mean "http:\/\/foo\/mcp"\?\nThere are: https:\/\/, http:\/\//,
        ],
      },
    ]),
  ),
  'an address without a scheme, to add': {
    args: ['add', 'foo', 'localhost:3000/mcp'],
    exit: 1,
    says: [/"localhost:3000\/mcp" is no address of a server\nWrite https:\/\/… or http:\/\/…/],
  },
  'a revision that does not exist, to add': {
    args: ['add', 'foo', '--revision', '2025-06-17', '--', 'node', 'x.js'],
    exit: 1,
    says: [
      /^trunkline: Cannot speak revision "2025-06-17": there is no such revision\nWrite one of 2026-07-28, .*2024-11-05/,
    ],
  },
  'a mark of data that does not exist, to add': {
    args: ['add', 'foo', '--data', 'private', '--data', 'secret', '--', 'node', 'x.js'],
    exit: 1,
    says: [
      /^trunkline: Cannot use "--data=secret": there is no such mark of data\nWrite --data private, --data untrusted, or both/,
    ],
  },
  'a project in a folder that is not empty': {
    args: ['new', full],
    exit: 1,
    says: [
      /^trunkline: Cannot make ".*full": the folder has something in it already\nName a folder that is empty or not there yet: trunkline new \S+full-server\n$/,
    ],
  },
  'two tools of one name': {
    args: ['tools', '--', node, twins],
    exit: 0,
    says: [/Two tools are named "add", and no client can tell which one is called; rename one of them in the server/],
  },
  'two tools of one name, to doctor': {
    args: ['doctor', '--', node, twins],
    exit: 2,
    says: [/bad schema: Two tools are named "add"/],
  },
  'one mistake in a policy': {
    args: ['policy', 'check', policy],
    exit: 2,
    says: [/^trunkline: The policy has 1 mistake$/m],
  },
  ...Object.fromEntries(
    [['up'], ['up', '--detach'], ['doctor'], ['add', 'foo', '--', 'node', 'x.js']].flatMap((args) => [
      [
        `a home below a file, to ${args.join(' ')}`,
        {
          args,
          exit: args.length === 1 && args[0] === 'up' ? 4 : 1,
          home: join(file, 'home'),
          says: [
            /^trunkline: Cannot make the folder ".*\/file": a file of that name is in the way; move it away, or set TRUNKLINE_HOME to another folder\n$/,
          ],
        } satisfies Mistake,
      ],
      [
        `a home below /proc, to ${args.join(' ')}`,
        {
          args,
          exit: args.length === 1 && args[0] === 'up' ? 4 : 1,
          home: '/proc/home',
          says: [
            /^trunkline: Cannot make the folder "\/proc\/home": nothing can be made in "\/proc"; choose another place, or set TRUNKLINE_HOME to another folder\n$/,
          ],
        } satisfies Mistake,
      ],
    ]),
  ),
}

for (const [what, { args, exit, says, home = usualHome }] of Object.entries(mistakes)) {
  test(`${what}: cause and fix are said`, async () => {
    const ran = await runCli(args, { env: { TRUNKLINE_HOME: home } })
    for (const words of says) assert.match(`${ran.stdout}${ran.stderr}`, words)
    assert.equal(ran.exit, exit)
  })
}
