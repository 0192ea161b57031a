import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../../tools/lib/any-character.ts'
import { addressPattern, mayBeAt, surelyAt } from './address-pattern.ts'

const isAllowed = (pattern: string, value: string) => surelyAt(addressPattern(pattern), value)
const isDenied = (pattern: string, value: string) => mayBeAt(addressPattern(pattern), value)

/** Other spellings of `https://evil.com/x`. */
const spellingsOfEvil = [
  'HTTPS://EVIL.COM/x',
  'https://evil.com:443/x',
  'https://evil.com:8443/x',
  'https://evil.com./x',
  'https://good.com@evil.com/x',
  'https://user:word@evil.com/x',
  'https:evil.com/x',
  'https:/evil.com/x',
  'https:\\\\evil.com\\x',
  'https:///evil.com/x',
  '//evil.com/x',
  'evil.com/x',
  ' https://evil.com/x',
  'ht\ntps://evil.com/x',
  'https://ev\til.com/x',
  'https://%65vil.com/x',
  'https://ｅｖｉｌ.com/x',
  'https://evil。com/x',
  'https://evil.com/a/../x',
  'https://evil.com/%78',
  'https://evil.com//x',
  'https://good.com\\@evil.com/x',
  'https%3A%2F%2Fevil.com%2Fx',
  'https://evil.com/x?good.com',
  'https://evil.com/x#good.com',
  'https://evil.com/x;v=1',
  'view-source:https://evil.com/x',
]

describe('an address that a rule denies', () => {
  for (const value of spellingsOfEvil) {
    it(`matches ${JSON.stringify(value)}`, () => {
      assert.equal(isDenied('https://evil.com/x', value), true)
      assert.equal(isDenied('https://evil.com/**', value), true)
      assert.equal(isDenied('https://good.com/x', value.replaceAll('good', 'other')), false)
    })
  }

  for (const value of ['127.1', '2130706433', '0x7f.0.0.1', '0177.0.0.1', '127.0.0.1.', '[::ffff:127.0.0.1]']) {
    it(`matches the host ${value}`, () => assert.equal(isDenied('http://127.0.0.1/**', `http://${value}/a`), true))
  }

  it('matches the spellings of an IPv6 host and of a host with letters of other scripts', () => {
    assert.equal(isDenied('http://[::1]/**', 'http://[0:0:0:0:0:0:0:1]/a'), true)
    assert.equal(isDenied('https://bücher.example/**', 'https://xn--bcher-kva.example/a'), true)
    assert.equal(isDenied('https://xn--bcher-kva.example/**', 'https://BÜCHER.example/a'), true)
  })

  it('matches whichever host a program takes a backslash for', () => {
    for (const host of ['evil.com', 'good.com'])
      assert.equal(isDenied(`https://${host}/**`, 'https://evil.com\\@good.com/x'), true)
  })

  it('matches at every depth below a star, and hosts beside it not', () => {
    assert.equal(isDenied('https://*.evil.com/**', 'https://a.b.evil.com/x'), true)
    assert.equal(isDenied('https://*.evil.com/**', 'https://evil.com/x'), false)
    assert.equal(isDenied('https://*.evil.com/**', 'https://notevil.com/x'), false)
    assert.equal(isDenied('https://evil.com/private/**', 'https://evil.com/public'), false)
    assert.equal(isDenied('https://evil.com/private/**', 'https://evil.com/public/..%2fprivate/x'), true)
  })

  it('property: no spelling of a denied address passes, judged by new URL', () => {
    let denied = 0
    fc.assert(
      fc.property(spelled('evil.com'), (value) => {
        const { hostname } = new URL(value, 'https://good.com/')
        if (hostname.replace(/\.$/, '') !== 'evil.com') return
        denied += 1
        assert.equal(isDenied('http*://evil.com/**', value), true, value)
      }),
      { numRuns: 3_000 },
    )
    assert.ok(denied > 500, `${denied} addresses were denied`)
  })
})

describe('an address that a rule allows', () => {
  it('is compared by origin and path', () => {
    assert.equal(isAllowed('https://*.good.com/**', 'https://api.good.com/x?y=1#z'), true)
    assert.equal(isAllowed('https://*.good.com/**', 'https://a.b.good.com/x'), true)
    assert.equal(isAllowed('https://good.com/', 'https://good.com'), true)
    assert.equal(isAllowed('https://good.com:8443/**', 'https://good.com:8443/x'), true)
    assert.equal(isAllowed('https://good.com:*/**', 'https://good.com:1234/x'), true)
    assert.equal(isAllowed('http*://good.com/**', 'http://good.com/x'), true)
    assert.equal(isAllowed('https://*/**', 'https://any.example/x'), true)
    assert.equal(isAllowed('https://BÜCHER.example/**', 'https://xn--bcher-kva.example/x'), true)
    assert.equal(isAllowed('note://**', 'note://Inbox/1'), true)
    assert.equal(isAllowed('https://**', 'https://a.example/b/c'), true)
  })

  for (const value of [
    'https://evil.com?.good.com/x',
    'https://evil.com#.good.com/x',
    'https://evil.com/.good.com/x',
    'https://evil.com\\.good.com/x',
    'https://evil.com/@api.good.com/x',
    'https://api.good.com@evil.com/x',
    'https://user@api.good.com/x',
    'https://good.com/x',
    'https://.good.com/x',
    'https://api.good.com./x',
    'https://api.good.com:8443/x',
    'http://api.good.com/x',
    'HTTPS://api.good.com/x',
    'https://API.good.com/x',
    'https:api.good.com/x',
    '//api.good.com/x',
    ' https://api.good.com/x',
    'https://api.good.com/a/../x',
    'https://api.go\tod.com/x',
    'https://api.good.com%2f.evil.com/x',
    'api.good.com/x',
  ]) {
    it(`is not ${JSON.stringify(value)} for https://*.good.com/**`, () =>
      assert.equal(isAllowed('https://*.good.com/**', value), false))
  }

  it('has a star stay within its label, and two cross labels', () => {
    assert.equal(isAllowed('https://good.*/**', 'https://good.com/x'), true)
    assert.equal(isAllowed('https://good.*/**', 'https://good.evil.com/x'), false)
    assert.equal(isAllowed('https://api.*.com/**', 'https://api.good.com/x'), true)
    assert.equal(isAllowed('https://api.*.com/**', 'https://api.evil.good.com/x'), false)
    assert.equal(isAllowed('https://api.**.com/**', 'https://api.very.good.com/x'), true)
  })

  it('has a path that is read in one way, unless every path is allowed', () => {
    for (const path of ['/open/%2e%2e%2fx', '/open/..%2fx', '/open//x', '/open/..;/x', '/open/%252e/x', '/other']) {
      assert.equal(isAllowed('https://good.com/open/**', `https://good.com${path}`), false, path)
    }
    assert.equal(isAllowed('https://good.com/**', 'https://good.com/a%2fb'), true)
    assert.equal(isAllowed('https://good.com/open/**', 'https://good.com/open/a%20b'), true)
  })

  it('has a query only where the pattern ends with two stars or says one', () => {
    assert.equal(isAllowed('https://good.com/find', 'https://good.com/find?all'), false)
    assert.equal(isAllowed('https://good.com/find?q=*', 'https://good.com/find?q=a'), true)
    assert.equal(isAllowed('https://good.com/find?**', 'https://good.com/find'), true)
    assert.equal(isAllowed('https://good.com/find?q=*', 'https://good.com/find?p=a'), false)
  })

  it('property: nothing outside the allowed origin and folder is allowed, judged by new URL', () => {
    const plain = paths().map((path) => `https://api.good.com/open${path}`)
    let allowed = 0
    fc.assert(
      fc.property(fc.oneof(spelled('evil.com'), spelled('api.good.com'), plain), (value) => {
        if (!isAllowed('https://*.good.com/open/**', value)) return
        allowed += 1
        const { origin, pathname, username } = new URL(value)
        assert.match(origin, /^https:\/\/[\w-]+(\.[\w-]+)*\.good\.com$/, value)
        assert.equal(username, '')
        assert.ok(decodeURIComponent(pathname).startsWith('/open/'), value)
      }),
      { numRuns: 3_000 },
    )
    assert.ok(allowed > 0, 'no address was allowed')
  })
})

/** Paths of addresses: any characters, those encoded that have to be and some of the others. */
function paths(): fc.Arbitrary<string> {
  const plain = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@")
  const encoded = anyCharacter.map((character) => {
    const triplets = encodeURIComponent(character)
    return triplets === character ? `%${character.charCodeAt(0).toString(16)}` : triplets
  })
  const segment = fc.array(fc.oneof({ weight: 10, arbitrary: plain }, { weight: 1, arbitrary: encoded }))
  return fc.array(segment).map((segments) => segments.map((parts) => `/${parts.join('')}`).join(''))
}

/** Addresses of a host, spelled in ways that programs take for the same, or mixed with another host. */
function spelled(host: string): fc.Arbitrary<string> {
  const scheme = fc.constantFrom(
    'https://',
    'http://',
    'HTTPS://',
    'https:',
    'https:/',
    'https:\\\\',
    '//',
    'ht\ttps://',
    ' https://',
  )
  const name = fc.constantFrom('', 'user@', 'api.good.com@', 'api.good.com:x@', 'a:b@', '@')
  const letters = fc
    .array(fc.constantFrom('as it is', 'upper', 'percent', 'wide', 'tab'), {
      minLength: host.length,
      maxLength: host.length,
    })
    .map((ways) => [...host].map((letter, at) => letterAs(letter, ways[at] ?? '')).join(''))
  const shownHost = fc.oneof(fc.constant(host), fc.constant(host.toUpperCase()), letters)
  const after = fc.constantFrom(
    '',
    '.',
    ':443',
    ':80',
    ':8443',
    '?.good.com',
    '#.good.com',
    '\\.good.com',
    '.good.com',
    '%2f.good.com',
  )
  const path = fc.constantFrom(
    '',
    '/',
    '/open/a',
    '/open/../a',
    '/open/%2e%2e/a',
    '/open/..%2fa',
    '//open/a',
    '\\open\\a',
    '/open/a?b#c',
    '/open/@api.good.com',
  )
  return fc
    .tuple(scheme, name, shownHost, after, path)
    .map((parts) => parts.join(''))
    .filter((value) => URL.canParse(value, 'https://good.com/'))
}

function letterAs(letter: string, way: string): string {
  if (way === 'upper') return letter.toUpperCase()
  if (way === 'percent') return `%${letter.charCodeAt(0).toString(16)}`
  if (way === 'wide') return String.fromCharCode(letter.charCodeAt(0) + 0xfee0)
  return way === 'tab' ? `${letter}\t` : letter
}
