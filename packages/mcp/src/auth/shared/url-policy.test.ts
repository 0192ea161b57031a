import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AuthError } from './auth-error.ts'
import { allowsAddress, checkOwnUrl, checkUrl, type UrlPolicy } from './url-policy.ts'

function policy(server: string, ...trusted: string[]): UrlPolicy {
  return { server: new URL(server), trusted: new Set(trusted) }
}

const far = policy('https://mcp.example.com/mcp')
const near = policy('http://localhost:3000/mcp')

function isAllowed(url: string, by: UrlPolicy): boolean {
  try {
    checkUrl(url, by, 'test')
    return true
  } catch (error) {
    assert.ok(error instanceof AuthError && error.problem === 'address', String(error))
    return false
  }
}

test('checkUrl: takes encrypted addresses of all public hosts', () => {
  assert.ok(isAllowed('https://auth.example.org/token?a=b', far))
  assert.ok(isAllowed('https://8.8.8.8/', far))
})

const refused = [
  ...['http://auth.example.org/', 'ftp://auth.example.org/', 'file:///etc/passwd', 'javascript:alert(1)', 'data:,x'],
  ...['https://user@auth.example.org/', 'https://:secret@auth.example.org/', 'https://10.0.0.1/', 'https://127.0.0.1/'],
  ...['https://localhost/', 'http://localhost:8080/', 'https://169.254.169.254/', 'https://0xa9fea9fe/', '', '/token'],
  ...['https://[::1]/', 'https://[::ffff:10.0.0.1]/', 'https://2130706433/', 'https://[fd00:ec2::254]/'],
]

for (const url of refused) {
  test(`checkUrl: for a server far away, refuses "${url}"`, () => assert.ok(!isAllowed(url, far)))
}

test('checkUrl: for a server on this machine, takes others on this machine and nothing else that is not public', () => {
  for (const url of ['http://localhost:9000/', 'http://127.0.0.2:1/', 'http://[::1]:1/'])
    assert.ok(isAllowed(url, near))
  for (const url of ['http://10.0.0.1/', 'https://10.0.0.1/', 'https://169.254.169.254/'])
    assert.ok(!isAllowed(url, near))
})

test('checkUrl: takes what the user vouches for, except where clouds keep credentials', () => {
  const trusting = policy(
    'https://mcp.example.com/mcp',
    'https://10.0.0.1',
    'http://auth.corp:8080',
    'https://169.254.169.254',
  )
  assert.ok(isAllowed('https://10.0.0.1/token', trusting))
  assert.ok(isAllowed('http://auth.corp:8080/token', trusting))
  assert.ok(!isAllowed('https://10.0.0.1:444/token', trusting))
  assert.ok(!isAllowed('https://169.254.169.254/', trusting))
})

test('checkUrl: its error repeats no secret of the address', () => {
  const check = () => checkUrl('https://user:hunter2@10.0.0.1/path?token=hunter2', far, 'test')
  assert.throws(check, (error: Error) => !error.message.includes('hunter2'))
})

test('checkOwnUrl: takes the origin of the server and those that are trusted', () => {
  const trusting = policy('https://mcp.example.com/mcp', 'https://meta.example.com')
  assert.equal(checkOwnUrl('https://mcp.example.com/x', trusting, 'test').pathname, '/x')
  assert.equal(checkOwnUrl('https://meta.example.com/y', trusting, 'test').pathname, '/y')
  const elsewhere = ['https://mcp.example.com:444/', 'https://example.com/', 'https://mcp.example.com.evil.org/']
  for (const url of elsewhere) assert.throws(() => checkOwnUrl(url, trusting, 'test'), /not the origin of the server/)
})

test('allowsAddress: a name counts for what it stands for', () => {
  const url = new URL('https://auth.example.org/')
  assert.ok(allowsAddress('93.184.216.34', url, far))
  for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:10.0.0.1', 'nonsense']) {
    assert.ok(!allowsAddress(address, url, far), address)
  }
})

test('allowsAddress: without encryption only this machine will do, whatever "localhost" is said to mean', () => {
  const url = new URL('http://localhost:9000/')
  assert.ok(allowsAddress('127.0.0.1', url, near))
  assert.ok(allowsAddress('::1', url, near))
  assert.ok(!allowsAddress('93.184.216.34', url, near))
})

test('allowsAddress: the server of the user may be where only the user can reach it', () => {
  const inside = policy('https://mcp.corp/mcp')
  assert.ok(allowsAddress('10.0.0.1', new URL('https://mcp.corp/.well-known/x'), inside))
  assert.ok(!allowsAddress('10.0.0.1', new URL('https://auth.corp/'), inside))
  assert.ok(!allowsAddress('169.254.169.254', new URL('https://mcp.corp/'), inside))
})
