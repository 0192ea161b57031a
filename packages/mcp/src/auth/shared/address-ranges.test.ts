import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AddressKind, kindOfAddress, kindOfHost } from './address-ranges.ts'

const kinds: { readonly [kind in AddressKind]: readonly string[] } = {
  public: ['8.8.8.8', '1.1.1.1', '172.15.255.255', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8'],
  loopback: ['127.0.0.1', '127.0.0.2', '127.255.255.254', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'],
  private: [
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    'fc00::1',
    'fdff::1',
    '::ffff:a00:1',
  ],
  forbidden: [
    ...['0.0.0.0', '0.1.2.3', '169.254.169.254', '169.254.170.2', '224.0.0.1', '255.255.255.255', '192.0.2.1'],
    ...['100.100.100.200', '168.63.129.16', 'fd00:ec2::254', 'fe80::1', 'fec0::1', 'ff02::1', '::', '2001:db8::1'],
    ...['::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::1', '::169.254.169.254'],
    ...['', 'example.com', '1.2.3', '1.2.3.4.5', '256.1.1.1', '01.2.3.4', '1::2::3', ':1', '12345::', 'fe80::1%eth0'],
  ],
}

for (const [kind, addresses] of Object.entries(kinds)) {
  for (const address of addresses) {
    test(`kindOfAddress: "${address}" is ${kind}`, () => assert.equal(kindOfAddress(address), kind))
  }
}

// every spelling that a URL may have of the address where clouds keep credentials
const spellings = [
  ...['169.254.169.254', '2852039166', '0xa9fea9fe', '0xA9.0xFE.0xA9.0xFE', '0251.0376.0251.0376', '169.254.43518'],
  ...['[::ffff:169.254.169.254]', '[::ffff:a9fe:a9fe]', '[0:0:0:0:0:ffff:a9fe:a9fe]', '[64:ff9b::169.254.169.254]'],
  ...[
    '169.254.169.254.',
    '１６９.254.169.254',
    '169。254。169。254',
    'metadata.google.internal',
    'METADATA.google.internal.',
  ],
]

for (const spelling of spellings) {
  test(`kindOfHost: ${spelling} is forbidden`, () => {
    assert.equal(kindOfHost(new URL(`https://${spelling}/`).hostname), 'forbidden')
  })
}

for (const spelling of [
  'localhost',
  'LOCALHOST.',
  'a.localhost',
  '127.1',
  '2130706433',
  '0177.1',
  '0x7f000001',
  '[::1]',
]) {
  test(`kindOfHost: ${spelling} is loopback`, () => {
    assert.equal(kindOfHost(new URL(`http://${spelling}/`).hostname), 'loopback')
  })
}

test('kindOfHost: of a name nothing is known', () => {
  for (const name of ['example.com', 'localhost.example.com', 'notlocalhost']) assert.equal(kindOfHost(name), undefined)
})
