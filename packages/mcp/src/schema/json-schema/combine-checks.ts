import type { Check } from './validation-run.ts'

/** The check that passes everything. */
export const pass: Check = () => true

/** The check that passes nothing. */
export const forbid: Check = (_value, run) => run.fail('is not allowed')

/** The check that passes when all of them pass. */
export function all(checks: readonly Check[]): Check {
  const [first, second] = checks
  if (!first) return pass
  if (!second) return first
  return (value, run) => {
    run.pay(checks.length)
    let ok = true
    for (let index = 0; index < checks.length && (ok || run.explaining); index++)
      ok = (checks[index] as Check)(value, run) && ok
    return ok
  }
}
