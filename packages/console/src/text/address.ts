import { decodeHost } from './punycode.ts'

/** A part of a host name. */
export interface HostLetter {
  readonly text: string
  /** True for a letter outside the Latin alphabet, which may look like one of it. */
  readonly isForeign: boolean
}

/** The address of a page, as far as a person has to judge it. */
export interface PageAddress {
  /** The name that is really asked for, in ASCII. */
  readonly host: string
  readonly letters: readonly HostLetter[]
  readonly isMixed: boolean
  /** True if it is encrypted, or on this machine. */
  readonly isSecure: boolean
}

/** Reads the address of a page; undefined for what a browser must not be sent to. */
export function readAddress(written: string): PageAddress | undefined {
  const url = URL.canParse(written) ? new URL(written) : undefined
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  const shown = decodeHost(url.host)
  const letters = [...shown].map((text) => ({ text, isForeign: (text.codePointAt(0) ?? 0) > 0x7f }))
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  return {
    host: url.host,
    letters,
    isMixed: letters.some(({ isForeign }) => isForeign) || url.host.includes('xn--'),
    isSecure: url.protocol === 'https:' || isLocal,
  }
}
