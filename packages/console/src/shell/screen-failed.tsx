import { link } from '../host/link.ts'
import { useStore } from '../host/store.ts'
import { Button } from '../parts/button.tsx'
import { Notice } from '../parts/notice.tsx'
import { Said } from '../text/said.tsx'
import { ScreenNotLoaded } from './lazy-screen.ts'
import { Screen } from './screen.tsx'

/** In place of a screen that could not be loaded or drawn: the reason, and a button that tries again. */
export function ScreenFailed({ error }: { readonly error: unknown }) {
  const isGone = useStore(link) === 'gone'
  const isUnloaded = error instanceof ScreenNotLoaded
  return (
    <Screen title={isUnloaded ? 'Not loaded' : 'Not shown'}>
      <Notice tone="bad" live>
        {isUnloaded ? (
          <p>This screen could not be loaded{isGone && ': the host does not answer. Reload once it is back'}.</p>
        ) : (
          <p>
            This screen could not be shown: <Said text={error instanceof Error ? error.message : String(error)} />
          </p>
        )}
        {/* while the host is gone, the browser would show its own error instead of this page */}
        <Button disabled={isGone} onClick={() => location.reload()}>
          Reload
        </Button>
      </Notice>
    </Screen>
  )
}
