import { useEffect, useId, useState } from 'react';
import type { Verdict } from '../judge-message.ts';

const EXAMPLE = '{ "soil_moisture": 512, "datetime": "2026-03-02T14:05:00+09:00", "seq": 7 }';
const SHOWN_MAX = 5;

/** Shows what happens to a message that a board might send, using the bridge's own code. */
export function TryReading() {
  const id = useId();
  const [message, setMessage] = useState(EXAMPLE);
  const [judge, setJudge] = useState<{ of: (message: string) => Verdict[] }>();
  useEffect(() => {
    // Loaded on demand, because it brings schemas that nothing else on the page needs.
    void import('../judge-message.ts').then(({ judgeMessage }) => setJudge({ of: judgeMessage }));
  }, []);
  const verdicts = judge?.of(message) ?? [];
  return (
    <div className="doc-try">
      <label htmlFor={id}>
        보드가 보낼 내용을 적어 보세요. 아무것도 보내지 않고, 서버가 어떻게 받을지만 알려 줍니다.
      </label>
      <textarea
        id={id}
        rows={3}
        spellCheck={false}
        value={message}
        onChange={(event) => setMessage(event.target.value)}
      />
      <output htmlFor={id}>
        {Array.from(verdicts.slice(0, SHOWN_MAX).entries(), ([at, { isTaken, text }]) => (
          <p key={at} data-taken={isTaken}>
            {isTaken ? '저장합니다' : '받지 않습니다'}: {text}
          </p>
        ))}
        {verdicts.length > SHOWN_MAX && <p>그 밖에 {verdicts.length - SHOWN_MAX}개</p>}
      </output>
    </div>
  );
}
