/** The rules of PROTOCOL.md that nothing here verifies, by the reason why. */
export const elsewhere: { readonly [reason: string]: readonly string[] } = {
  'how messages travel over HTTP has tests of its own': [
    ...numbered('P', 47, 49),
    ...numbered('P', 51, 52),
    ...numbered('P', 54, 79),
    ...['P112', 'P186', 'L34', 'L35', 'L38'],
    ...numbered('L', 6, 12),
    'L32',
  ],
  'authorization has tests of its own': [...numbered('P', 166, 184), 'L24', 'L31', 'L37'],
  'schemas have tests of their own': numbered('P', 161, 163),
  'for those who start and watch over servers: when to restart, reconnect or poll': [
    'P14',
    'P85',
    'P99',
    'P125',
    'P127',
  ],
  'for those who show things to people: trust, consent, icons, names': ['P135', 'P136', 'P151', 'P152', 'P165'],
  'for those who write servers: the names of their metadata, how often they report': ['P23', 'P24', 'P120'],
  'for those who build transports of their own': ['P86'],
}

function numbered(letter: string, first: number, last: number): readonly string[] {
  return Array.from({ length: last - first + 1 }, (_, at) => `${letter}${first + at}`)
}
