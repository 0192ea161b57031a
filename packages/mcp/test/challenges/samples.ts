/** Bytes and texts that are easily mangled. */
const everyByte = Uint8Array.from({ length: 256 }, (_, value) => value)
const utf16 = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))

/** Bytes, by what they are. */
export const samples = {
  'every byte value': everyByte,
  'every byte value, backwards': everyByte.slice().reverse(),
  'a cut character': Uint8Array.of(0x61, 0xe2, 0x82),
  'a character that is too long': Uint8Array.of(0xc0, 0x80, 0xf8, 0x88, 0x80, 0x80, 0x80),
  'half of a pair in UTF-8': Uint8Array.of(0xed, 0xa0, 0x80),
  'UTF-8 with a mark': new Uint8Array(Buffer.from('\ufeffgrün\r\n')),
  'UTF-16, little end first': utf16('grün 🌲'),
  'UTF-16, big end first': utf16('grün 🌲').map((_, at, all) => all[at ^ 1] as number),
  'nothing but nulls': new Uint8Array(1_000),
  'nothing at all': new Uint8Array(0),
} as const

/** Encoding of each sample: some bytes happen to be UTF-8. */
export const encodings: { readonly [name in keyof typeof samples]: 'utf-8' | 'other' } = {
  'every byte value': 'other',
  'every byte value, backwards': 'other',
  'a cut character': 'other',
  'a character that is too long': 'other',
  'half of a pair in UTF-8': 'other',
  'UTF-8 with a mark': 'utf-8',
  'UTF-16, little end first': 'other',
  'UTF-16, big end first': 'other',
  'nothing but nulls': 'utf-8',
  'nothing at all': 'utf-8',
}

/** Texts, by what they are. */
export const texts = {
  'a mark at the start': '\ufeffgrün',
  'every control character': String.fromCharCode(...Array.from({ length: 32 }, (_, code) => code), 0x7f, 0x85),
  'line separators of JavaScript': 'a\u2028b\u2029c',
  'a character of two units': '🌲 \u{10ffff}',
  'half of a pair': 'a\ud800b\udc00',
  'composed and decomposed': 'é e\u0301',
  'every first byte of UTF-8': '\u0080\u07ff\u0800\uffff\u{10000}',
  'no characters': '',
} as const
