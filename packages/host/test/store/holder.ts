/** Opens the store in argv[2], reports the result, and holds it until stdin ends. */
import { openNumbers } from './numbers.ts'

try {
  openNumbers(process.argv[2] ?? '')
  console.log('open')
} catch (error) {
  console.log((error as { code: string }).code, (error as Error).message)
}
process.stdin.resume().on('end', () => process.exit(0))
