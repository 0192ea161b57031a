import type { Ledger } from '../src/ledger/ledger.ts'

/** An export of a ledger, line by line, as the command writes it. */
export async function exported(ledger: Ledger): Promise<readonly string[]> {
  const tip = await ledger.signedTip()
  return [...Array.from(ledger.lines(0, tip.number), (line) => JSON.stringify(line)), JSON.stringify({ tip })]
}
