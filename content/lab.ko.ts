/** Which lab this is, on every page. Replace it here and in lab.en.ts; what it does is in about.ko.ts. */
export type LabContent = {
  name: string;
  affiliation: string;
  /** The claim under the name, one sentence. */
  lead: string;
  /** With AT in place of @, so that no address harvester finds it. */
  email: string;
  /** The office's telephone. */
  phone?: string;
  address: string[];
  /** WGS 84 degrees. */
  place: { name: string; latitude: number; longitude: number };
};

export const lab: LabContent = {
  name: '사이버물리시스템 연구실',
  affiliation: '한빛대학교 컴퓨터공학부',
  lead: '작은 장치가 스스로 전기를 얻고, 서로 이야기하고, 오래 버티는 방법을 연구합니다.',
  email: 'cps AT hanbit.example',
  phone: '02-0000-4120',
  address: ['한빛대학교 공학관 412호', '서울특별시 한빛구 한빛로 1'],
  place: { name: '한빛대학교 공학관', latitude: 37.5444, longitude: 127.0374 },
};
