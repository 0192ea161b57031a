import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proxyFor } from './proxy-for.ts'

const proxy = 'http://proxy.example:3128'
const isUsed = (noProxy: string, url: string): boolean => proxyFor({ proxy, noProxy }, {})?.(new URL(url)) !== undefined

for (const [noProxy, url, used] of [
  ['', 'https://example.com/', true],
  ['*', 'https://example.com/', false],
  ['example.com', 'https://example.com/', false],
  ['example.com', 'https://api.example.com/', false],
  ['example.com', 'https://notexample.com/', true],
  ['.example.com', 'https://api.example.com/', false],
  ['*.example.com', 'https://API.example.com/', false],
  ['example.com:8080', 'http://example.com/', true],
  ['example.com:8080', 'http://example.com:8080/', false],
  ['example.com:443', 'https://example.com/', false],
  ['one.test  two.test,three.test', 'https://three.test/', false],
  ['10.0.0.0/8', 'http://10.1.2.3/', false],
  ['10.0.0.0/8', 'http://11.1.2.3/', true],
  ['fd00::/8', 'http://[fd00::1]/', false],
  ['fd00::1', 'http://[fd00::1]:9/', false],
  ['10.0.0.0/99', 'http://10.0.0.1/', true],
  ['', 'http://127.0.0.1:4000/', false],
  ['', 'http://localhost/', false],
  ['', 'http://[::1]/', false],
] as const)
  test(`proxyFor: ${url} with NO_PROXY "${noProxy}" ${used ? 'goes' : 'does not go'} through the proxy`, () => {
    assert.equal(isUsed(noProxy, url), used)
  })

test('proxyFor: reads the environment, and each kind of address has its own proxy', () => {
  const find = proxyFor(
    {},
    { HTTPS_PROXY: 'secure.example:1', http_proxy: 'http://plain.example:2', NO_PROXY: 'c.test' },
  )
  assert.equal(find?.(new URL('https://a.test/'))?.host, 'secure.example:1')
  assert.equal(find?.(new URL('http://b.test/'))?.host, 'plain.example:2')
  assert.equal(find?.(new URL('https://c.test/')), undefined)
  assert.equal(proxyFor({}, {}), undefined)
  assert.equal(proxyFor({ proxy: '' }, { HTTPS_PROXY: proxy }), undefined)
  // a header that the caller of a CGI program sets
  assert.equal(proxyFor({}, { HTTP_PROXY: proxy, REQUEST_METHOD: 'GET' }), undefined)
})

test('proxyFor: an invalid proxy is refused, without showing a password', () => {
  const refused = (text: string) => () => proxyFor({ proxy: text }, {})
  assert.throws(refused('http://a b'), {
    code: 'Misuse',
    message: 'Cannot use the proxy: its address is not a URL such as "http://proxy.example.com:8080"',
  })
  assert.throws(refused('socks5://me:canary@host:1'), { message: /Cannot use the proxy socks5:\/\/host:1: it must be/ })
})
