import { Said } from '../text/said.tsx'
import { Notice } from './notice.tsx'

/** What went wrong, where something was asked of the host. */
export function Failure({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null
  const text = error instanceof Error ? error.message : String(error)
  return (
    <Notice tone="bad" live>
      <Said text={text} />
    </Notice>
  )
}
