import { Said } from '../text/said.tsx'
import { Notice } from './notice.tsx'

/** Error of a request to the host. */
export function Failure({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null
  const text = error instanceof Error ? error.message : String(error)
  return (
    <Notice tone="bad" live>
      <Said text={text} />
    </Notice>
  )
}
