import type { Meter } from './meter.ts'

/** True if a number is a multiple of another as people write them, in decimal: 0.3 is one of 0.1. */
export function isMultiple(value: number, unit: number, meter: Meter): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(unit)) return value % unit === 0
  if (!Number.isFinite(value)) return false
  meter.pay(exactSteps)
  const [digits, exponent] = decimal(value)
  const [unitDigits, unitExponent] = decimal(unit)
  const shared = Math.min(exponent, unitExponent)
  return (digits * power(exponent - shared)) % (unitDigits * power(unitExponent - shared)) === 0n
}

function decimal(value: number): readonly [digits: bigint, exponent: number] {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
}

// integers of several hundred digits
const exactSteps = 100

function power(exponent: number): bigint {
  return 10n ** BigInt(exponent)
}
