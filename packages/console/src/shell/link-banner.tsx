import { link } from '../host/link.ts'
import { useStore } from '../host/store.ts'
import styles from './link-banner.module.css'

/** Says when the host does not answer; what is on the screen stays. */
export function LinkBanner() {
  const state = useStore(link)
  return (
    <div role="status" className={state === 'gone' ? styles.banner : 'visually-hidden'}>
      {state === 'gone' &&
        'The host does not answer. What you see is from before; this page goes on by itself when the host is back. Start it: trunkline up'}
    </div>
  )
}
