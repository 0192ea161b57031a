import { bytesOfAddress } from './parse-ip.ts'

/** The kind of an IP address; `forbidden` ones are never connected to. */
export type AddressKind = 'public' | 'private' | 'loopback' | 'forbidden'

/** The kind of an IP address in text form; text that is not an address is forbidden. */
export function kindOfAddress(address: string): AddressKind {
  const bytes = bytesOfAddress(address)
  return bytes ? kindOf(bytes) : 'forbidden'
}

/** The kind of the host of a URL, as far as it is known without DNS lookup. */
export function kindOfHost(hostname: string): AddressKind | undefined {
  const name = withoutRoot(hostname)
  if (name === 'localhost' || name.endsWith('.localhost')) return 'loopback'
  if (name === 'metadata.google.internal') return 'forbidden'
  const address = name.startsWith('[') ? name.slice(1, -1) : name
  return bytesOfAddress(address) ? kindOfAddress(address) : undefined
}

/** Removes trailing dots; without a regular expression, which would backtrack. */
function withoutRoot(name: string): string {
  let end = name.length
  while (name[end - 1] === '.') end -= 1
  return name.slice(0, end)
}

interface Range {
  readonly bytes: readonly number[]
  readonly bits: number
  readonly kind: AddressKind
}

// the first match counts; the single addresses are metadata services of clouds
const ranges: readonly Range[] = [
  range('100.100.100.200/32', 'forbidden'),
  range('168.63.129.16/32', 'forbidden'),
  range('0.0.0.0/8', 'forbidden'),
  range('10.0.0.0/8', 'private'),
  range('100.64.0.0/10', 'private'),
  range('127.0.0.0/8', 'loopback'),
  range('169.254.0.0/16', 'forbidden'),
  range('172.16.0.0/12', 'private'),
  range('192.0.0.0/24', 'forbidden'),
  range('192.0.2.0/24', 'forbidden'),
  range('192.88.99.0/24', 'forbidden'),
  range('192.168.0.0/16', 'private'),
  range('198.18.0.0/15', 'private'),
  range('198.51.100.0/24', 'forbidden'),
  range('203.0.113.0/24', 'forbidden'),
  range('224.0.0.0/3', 'forbidden'),
  range('0.0.0.0/0', 'public'),
  range('::1/128', 'loopback'),
  range('fd00:ec2::254/128', 'forbidden'),
  range('fd20:ce::254/128', 'forbidden'),
  range('fc00::/7', 'private'),
  range('2001::/23', 'forbidden'),
  range('2001:db8::/32', 'forbidden'),
  range('2002::/16', 'forbidden'),
  range('3fff::/20', 'forbidden'),
  range('2000::/3', 'public'),
]

// IPv6 ranges that embed an IPv4 address
const disguises: readonly Range[] = [range('::ffff:0:0/96', 'forbidden'), range('64:ff9b::/96', 'forbidden')]

function kindOf(bytes: readonly number[]): AddressKind {
  if (disguises.some((disguise) => contains(disguise, bytes))) return kindOf(bytes.slice(12))
  return ranges.find((candidate) => contains(candidate, bytes))?.kind ?? 'forbidden'
}

function contains(range: Range, bytes: readonly number[]): boolean {
  if (range.bytes.length !== bytes.length) return false
  return range.bytes.every((byte, at) => {
    const shift = 8 - Math.min(8, Math.max(0, range.bits - at * 8))
    return byte >> shift === (bytes[at] ?? 0) >> shift
  })
}

function range(text: string, kind: AddressKind): Range {
  const [address = '', bits] = text.split('/')
  return { bytes: bytesOfAddress(address) ?? [], bits: Number(bits), kind }
}
