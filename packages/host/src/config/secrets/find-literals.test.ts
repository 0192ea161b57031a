import assert from 'node:assert/strict'
import { test } from 'node:test'
import { valueAt } from '../document/document.ts'
import { findLiterals, withReference } from './find-literals.ts'
import { maskedIn } from './mask.ts'

const github = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'

const entry = {
  command: 'npx',
  args: [
    '-y',
    'server',
    '--api-key',
    'abc12345',
    `--token=${github}`,
    '-e',
    'DB_PASSWORD=hunter22',
    '--verbose',
    'password-reset',
  ],
  env: {
    GITHUB_TOKEN: github,
    OPENAI_API_KEY: 'secret:openai',
    DATABASE_URL: 'postgres://ada:correct-horse@db/x',
    AUTH_MODE: 'required',
    MAX_TOKENS: '4096',
    TOKEN_FROM_SHELL: '${TOKEN}',
    KEYBOARD: 'qwertz-layout',
    PUBLIC_KEY: 'abcdefghijkl',
    KEY_FILE: '/home/ada/key.pem',
    SOME_PASSWORD: 'true',
  },
  url: 'https://example.com/mcp?region=eu&api_key=abcdef123456',
  headers: { Authorization: `Bearer ${github}`, 'X-Api-Key': 'abcdef-123456', Accept: 'text/plain, application/json' },
}

test('findLiterals: finds them in environment, headers, arguments and address, and nothing else', () => {
  const found = findLiterals('github', entry)
  assert.deepEqual(
    found.map(({ path, value, name }) => [path.join('.'), value, name]),
    [
      ['args.3', 'abc12345', 'github.api-key'],
      ['args.4', github, 'github.token'],
      ['args.6', 'hunter22', 'github.DB_PASSWORD'],
      ['env.GITHUB_TOKEN', github, 'github.GITHUB_TOKEN'],
      ['env.DATABASE_URL', 'correct-horse', 'github.DATABASE_URL'],
      ['url', 'abcdef123456', 'github.url'],
      ['headers.Authorization', github, 'github.Authorization'],
      ['headers.X-Api-Key', 'abcdef-123456', 'github.X-Api-Key'],
    ],
  )
})

test('withReference: only the secret is replaced', () => {
  const replaced = findLiterals('g', entry).map((one) => withReference(`${valueAt(entry, one.path)}`, one))
  assert.deepEqual(replaced, [
    'secret:g.api-key',
    '--token=${secret:g.token}',
    'DB_PASSWORD=${secret:g.DB_PASSWORD}',
    'secret:g.GITHUB_TOKEN',
    'postgres://ada:${secret:g.DATABASE_URL}@db/x',
    'https://example.com/mcp?region=eu&api_key=${secret:g.url}',
    'Bearer ${secret:g.Authorization}',
    'secret:g.X-Api-Key',
  ])
})

test('findLiterals: a reference is no literal', () => {
  const replaced = { env: { A_TOKEN: 'secret:a', B_TOKEN: 'Bearer ${secret:b}', C_TOKEN: '${env:C}' } }
  assert.deepEqual(findLiterals('x', replaced), [])
})

test('maskedIn: shows an entry without its secrets', () => {
  const shown = JSON.stringify(maskedIn(entry))
  assert.doesNotMatch(shown, /ghp_|abc12345|hunter22|correct-horse|abcdef123456|abcdef-123456/)
  assert.match(shown, /postgres:\/\/ada:\*{8}@db\/x/)
})

test('findLiterals: a long text is searched in no time to speak of', () => {
  const long = {
    args: ['a:'.repeat(100_000), `https://${'a'.repeat(100_000)}`, '-'.repeat(100_000), 'eyJ'.repeat(50_000)],
  }
  assert.deepEqual(findLiterals('x', long), [])
})
