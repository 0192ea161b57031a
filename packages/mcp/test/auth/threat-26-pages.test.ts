import assert from 'node:assert/strict'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import '../no-leaks.ts'
import { lacking } from '../../../../tools/lib/needs.ts'
import { startBrowser } from '../../src/auth/node/browser.ts'
import { memorySecrets, signIn } from '../../src/auth.ts'
import { ask } from './ask.ts'
import { hostileServer } from './hostile-server.ts'

// what got past other clients, or might
const refused = [
  ...[
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
  ],
  ...[
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'file:///etc/passwd',
    'file://evil.example/share',
  ],
  ...[
    'ftp://a.example/',
    'smb://a.example/',
    'ms-msdt:/id PCWDiagnostic',
    'ms-settings:x',
    'x-apple.systempreferences:',
    'tel:1',
  ],
  ...[
    '--help',
    '-e calc',
    '$(touch /tmp/pwned)',
    '`touch /tmp/pwned`',
    '; touch /tmp/pwned',
    '| calc',
    '& calc',
    '',
    ' ',
  ],
  ...[
    '//evil.example/',
    '/authorize',
    'authorize',
    'http:',
    'http://',
    'https://',
    'https:///',
    'about:blank',
    'blob:x',
    'ws://a.example/',
  ],
  ...[
    'http://auth.example.com/authorize',
    'http://evil.example/$(calc)',
    'https://user:pass@auth.example.com/',
    'https://169.254.169.254/',
  ],
]

for (const page of refused) {
  test(`authorization_endpoint: ${JSON.stringify(page)} is not opened`, async () => {
    await using server = await hostileServer({ authorizationEndpoint: page })
    const opened: URL[] = []
    const authorizer = signIn({ store: memorySecrets(), open: (url) => opened.push(url) })
    await assert.rejects(ask(server.url, authorizer), { problem: 'address' })
    assert.deepEqual(opened, [])
  })
}

// what may be opened, and must arrive as one argument that begins with the scheme
const tricky = [
  ...[
    '/authorize?a=$(touch%20pwned)',
    '/authorize?a=`touch pwned`',
    '/authorize?a=";touch pwned;"',
    '/authorize?a=b&calc',
  ],
  ...[
    '/authorize?a=|calc',
    '/authorize?a=\u0000',
    '/authorize? --flag',
    "/authorize?'; touch pwned; '",
    '/authorize?a=%0atouch',
  ],
  ...[
    '/authorize?a=b\ntouch pwned',
    '/authorize?%PATH%',
    '/authorize?^&calc',
    '/authorize?\u202e',
    '/authorize?{a,b}',
    '/authorize?*',
  ],
  ...['/$(touch pwned)', '/-e', '/;calc', '/%22%20--flag', '/a\\evil'],
]

/** A program in the place of the one that opens pages, which writes down what it is given. */
async function recorder() {
  const folder = await mkdtemp(join(tmpdir(), 'opener-'))
  const record = join(folder, 'arguments')
  await writeFile(join(folder, 'xdg-open'), `#!/bin/sh\nprintf '%s\\0' "$#" "$@" > '${record}'\n`)
  await chmod(join(folder, 'xdg-open'), 0o755)
  const { PATH } = process.env
  process.env.PATH = [folder, PATH].join(delimiter)
  return {
    folder,
    arguments: async () => (await readFile(record, 'utf8')).split('\0').slice(0, -1),
    async [Symbol.asyncDispose]() {
      process.env.PATH = PATH
      await rm(folder, { recursive: true })
    },
  }
}

for (const page of tricky) {
  test(`startBrowser: ${JSON.stringify(page)} arrives as one argument`, {
    skip: lacking('linux', process.platform === 'linux'),
  }, async () => {
    await using opener = await recorder()
    await startBrowser(new URL(page, 'https://auth.example.com'))
    const [count, argument, ...rest] = await opener.arguments()
    assert.deepEqual([count, rest], ['1', []])
    assert.match(argument ?? '', /^https:\/\/auth\.example\.com\/[!-~]*$/)
  })
}

test('startBrowser: says so when there is nothing to open pages with', {
  skip: lacking('linux', process.platform === 'linux'),
}, async () => {
  const { PATH } = process.env
  process.env.PATH = '/nowhere'
  try {
    await assert.rejects(startBrowser(new URL('https://auth.example.com')), { problem: 'sign-in' })
  } finally {
    process.env.PATH = PATH
  }
})
