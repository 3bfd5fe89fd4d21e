import { ADMIN, roleNames, type SecureLevel } from '#contract/access-levels';
import type { User } from '#contract/users';

/** Actions of an admin on a user that need confirmation. */
export type UserQuestion =
  | { kind: 'role'; user: User; level: SecureLevel }
  | { kind: 'delete'; user: User }
  | { kind: 'confirm-number'; user: User; number: string }
  | { kind: 'release-number'; user: User; number: string };

type Words = { title: string; lines: string[]; submit: string; isDestructive: boolean };

export function displayName({ name, email }: User): string {
  return name === '' ? email : name;
}

/** @param isSelf whether the question is about the admin's own account */
export function userQuestionTexts(question: UserQuestion, isSelf: boolean): Words {
  const { user } = question;
  const who = `${displayName(user)} 님`;
  if (question.kind === 'delete') {
    const what = isSelf
      ? '지금 로그인한 내 계정입니다. 삭제하면 바로 로그아웃되며 되돌릴 수 없습니다.'
      : '모든 기기에서 로그아웃되며 되돌릴 수 없습니다.';
    return { title: `${who}을 삭제할까요?`, lines: [user.email, what], submit: '삭제', isDestructive: true };
  }
  if (question.kind === 'confirm-number') {
    const what = '본인의 번호가 맞을 때만 확인해 주세요.';
    return {
      title: `${who}의 학번/직번을 확인할까요?`,
      lines: [question.number, what],
      submit: '확인',
      isDestructive: false,
    };
  }
  if (question.kind === 'release-number') {
    const what = '다른 사용자가 이 번호를 등록할 수 있게 됩니다.';
    return {
      title: `${who}의 학번/직번 연결을 해제할까요?`,
      lines: [question.number, what],
      submit: '연결 해제',
      isDestructive: true,
    };
  }
  const change = `${roleNames[user.secure_level]} → ${roleNames[question.level]}`;
  const warning = 'Admin은 모든 관리 화면을 쓰며, 이 화면에서 다시 낮출 수 없습니다.';
  return {
    title: `${who}의 역할을 변경할까요?`,
    lines: question.level === ADMIN ? [change, warning] : [change],
    submit: '변경',
    isDestructive: false,
  };
}
