import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AuthError } from './auth-error.ts'
import { checkUrl } from './url-policy.ts'

/** Hosts that lead to this machine, to a private network, or to where clouds keep credentials, in disguise. */
const spellings: { readonly [disguise: string]: readonly string[] } = {
  'a number': ['2852039166', '2130706433', '3232235777', '167772161', '2886729729', '0'],
  octal: ['0251.0376.0251.0376', '025177524776', '0177.0.0.1', '0177.1', '017700000001', '012.0.0.1', '0300.0250.1.1'],
  hexadecimal: ['0xa9fea9fe', '0xA9.0xFE.0xA9.0xFE', '0x7f000001', '0x7f.1', '0xac100001', '0x0a.0x0.0x0.0x1', '0x'],
  'short forms': ['127.1', '127.0.1', '169.254.43518', '169.16689662', '10.1', '192.168.257', '172.1048577', '0.0'],
  'mixed forms': ['0xa9.254.0251.254', '169.0376.43518', '0x7f.0.0.01', '0300.0xa8.1'],
  'IPv4 in IPv6': [
    ...['[::ffff:169.254.169.254]', '[::ffff:a9fe:a9fe]', '[0:0:0:0:0:ffff:a9fe:a9fe]', '[::FFFF:7F00:1]'],
    ...['[::ffff:10.0.0.1]', '[::127.0.0.1]', '[::a9fe:a9fe]', '[::ffff:0:169.254.169.254]'],
  ],
  'translated and tunnelled': [
    ...['[64:ff9b::169.254.169.254]', '[64:ff9b::a9fe:a9fe]', '[64:ff9b::7f00:1]', '[64:ff9b:1::a9fe:a9fe]'],
    ...['[2002:a9fe:a9fe::]', '[2002:7f00:1::1]', '[2001:0:a9fe:a9fe::1]', '[fe80::5efe:a9fe:a9fe]'],
  ],
  IPv6: [
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::]',
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
  ],
  'trailing dots': ['169.254.169.254.', '127.0.0.1.', '127.0.0.1..', 'localhost.', 'localhost..', '2852039166.'],
  names: ['localhost', 'LocalHost', 'a.localhost', 'metadata.google.internal', 'METADATA.GOOGLE.INTERNAL.'],
  'percent-encoding': ['%31%32%37.0.0.1', '169%2e254%2e169%2e254', '%6c%6fcalhost', '127.0.0.1%2e', '0x7f%2E1'],
  'other letters and digits': [
    ...[
      '１２７.０.０.１',
      '１６９。２５４。１６９。２５４',
      '169｡254｡169｡254',
      'ｌｏｃａｌｈｏｓｔ',
      '①②⑦.0.0.1',
      '⓪ｘ7f.1',
    ],
    ...['𝟏𝟐𝟕.0.0.1', 'loc\u{00AD}alhost', '127\u{200B}.0.0.1'],
  ],
  'a user name': ['auth.example.org@169.254.169.254', 'a:b@127.0.0.1', '169.254.169.254@auth.example.org', '%40@[::1]'],
  'a port': ['169.254.169.254:443', '127.0.0.1:8443', 'localhost:0', '[::1]:443', '2130706433:1'],
}

const policy = { server: new URL('https://mcp.example.com/mcp'), trusted: new Set<string>() }

for (const [disguise, hosts] of Object.entries(spellings)) {
  test(`checkUrl: refuses addresses that are not public behind ${disguise}`, () => {
    for (const host of hosts) {
      for (const scheme of ['https', 'http']) {
        const check = () => checkUrl(`${scheme}://${host}/latest/meta-data/`, policy, 'test')
        assert.throws(
          check,
          (error) => error instanceof AuthError && error.problem === 'address',
          `${scheme}://${host}`,
        )
      }
    }
  })
}

test('checkUrl: a URL that only looks like another host leads to the host that is parsed', () => {
  const written = [
    'https://auth.example.org\\@169.254.169.254/',
    'https://auth.example.org/@127.0.0.1',
    'https://auth.example.org?@127.0.0.1',
    'https://auth.example.org#@127.0.0.1',
    'https:auth.example.org',
    ' https://auth.\texample.\norg/ ',
    'https://ａｕｔｈ.example.org/',
  ]
  for (const url of written) assert.equal(checkUrl(url, policy, 'test').hostname, 'auth.example.org', url)
})
