/** The publications as BibTeX, as reference managers export it. */
export const publications = String.raw`
@string{tiny = {Journal of Tiny Systems}}
@string{tpe  = {Transactions on Power and Environment}}
@string{kcps = {한국사이버물리시스템학회 논문지}}

@article{yoon2026windowsill,
  author   = {Yoon, Seojun and Lim, Chaea},
  title    = {Three Winters on a Windowsill: A Node That Never Saw a Battery Change},
  journal  = tiny,
  volume   = 8,
  number   = 1,
  pages    = {3--19},
  year     = 2026,
  month    = feb,
  doi      = {10.5555/jts.2026.0801.003},
  pdf      = {https://papers.hanbit.example/yoon2026windowsill.pdf},
  keywords = {Energy harvesting, Small embedded systems},
}

@article{yoon2026garden,
  author   = {Yoon, Seojun and M{\"u}ller, J{\"o}rg and Ojala, Aino},
  title    = {A Year in the Soil: What Ten Gardens Taught Us About Moisture Sensing},
  journal  = tpe,
  volume   = 14,
  number   = 2,
  pages    = {101--118},
  year     = 2026,
  month    = may,
  doi      = {10.5555/tpe.2026.1402.101},
  pdf      = {https://papers.hanbit.example/yoon2026garden.pdf},
  code     = {https://code.hanbit.example/cps/garden},
  selected = {true},
  abstract = {Cheap capacitive probes drift. We kept 120 of them in ten community gardens for 14 months and dug up a
              reference sample at each every week. A probe that is calibrated once is off by 9\,\% of its range
              after a winter; a correction from its neighbours and the rain gauge brings that down to 2.1\,\%
              without anybody kneeling in the mud. Data and firmware are open.},
  keywords = {Wireless sensor network},
}

@inproceedings{ojala2026listen,
  author    = {Ojala, Aino and Yoon, Seojun},
  title     = {Listen Less: Wake-Up Schedules for Nodes That Harvest Under 10 {\textmu}W},
  booktitle = {Proceedings of the 9th Conference on Small Embedded Systems},
  pages     = {33--44},
  year      = 2026,
  month     = mar,
  doi       = {10.5555/ses.2026.033},
  pdf       = {https://papers.hanbit.example/ojala2026listen.pdf},
  award     = {Best Paper Award, Hanbit Embedded Society},
  keywords  = {Low energy wireless communication},
  selected  = {true},
}

@misc{ojala2025listen,
  author       = {Ojala, Aino and Yoon, Seojun},
  title        = {Listen less: wake-up schedules for nodes that harvest under 10 {\textmu}W},
  howpublished = {Open Preprints 2511.0042},
  year         = 2025,
  month        = nov,
  url          = {https://preprints.example/2511.0042},
}

@article{seo2025wall,
  author   = {Seo, Doyun and Okafor, Chidi and Yoon, Seojun},
  title    = {Power Through 20\,cm of Concrete: Resonant Links for Structural Sensors},
  journal  = tpe,
  volume   = 13,
  number   = 4,
  pages    = {377--391},
  year     = 2025,
  month    = oct,
  doi      = {10.5555/tpe.2025.1304.377},
  pdf      = {https://papers.hanbit.example/seo2025wall.pdf},
  selected = {true},
  abstract = {A sensor that is cast into a wall outlives its battery by decades. We deliver 50\,mW through 20\,cm of
              reinforced concrete at 6.78\,MHz. The link re-tunes itself as the concrete cures, when its
              permittivity falls from $\varepsilon_r \approx 12$ to $5$, and keeps an efficiency of
              $\eta > 0.31$ throughout.},
  keywords = {Wireless power transfer},
}

@article{yoon2025irrigation,
  author  = {윤서준 and 오정민},
  title   = {이웃 노드의 값을 이용한 토양 수분 센서의 현장 보정},
  journal = kcps,
  volume  = 8,
  number  = 1,
  pages   = {12--25},
  year    = 2025,
  month   = mar,
  doi     = {10.5555/kcps.2025.0801.012},
  pdf     = {https://papers.hanbit.example/yoon2025irrigation.pdf},
  abstract = {값싼 정전용량식 토양 수분 센서는 계절이 바뀌면 값이 흐릅니다. 텃밭 열 곳에서 열네 달 동안 잰 값으로, 이웃
              노드와 강우량만으로 센서를 보정하는 방법을 제안합니다. 한 번 보정한 센서의 오차가 9\,\%인 데 비해
              제안한 방법의 오차는 2.1\,\%입니다.},
  keywords = {무선 센서 네트워크},
}

@inproceedings{okafor2025stack,
  author    = {Okafor, Chidi and Yoon, Seojun},
  title     = {Proving the Stack: Bounded Memory for Interrupt-Driven Firmware},
  booktitle = {Workshop on Dependable Small Software},
  pages     = {1--8},
  year      = 2025,
  month     = jun,
  doi       = {10.5555/dss.2025.001},
  code      = {https://code.hanbit.example/cps/stackproof},
  keywords = {Small embedded systems},
}

@mastersthesis{seo2024thesis,
  author = {서도윤},
  title  = {콘크리트 구조물 내부 센서를 위한 공진형 무선 전력 전송},
  school = {한빛대학교},
  year   = 2024,
  month  = feb,
  pdf    = {https://papers.hanbit.example/seo2024thesis.pdf},
  keywords = {무선 전력 전송},
}

@inproceedings{seo2024retune,
  author    = {Seo, Doyun and Yoon, Seojun},
  title     = {Re-tuning a Resonant Link While the Concrete Cures},
  booktitle = {Symposium on Wireless Power},
  pages     = {210--215},
  year      = 2024,
  month     = sep,
  doi       = {10.5555/swp.2024.210},
  pdf       = {https://papers.hanbit.example/seo2024retune.pdf},
  keywords = {Wireless power transfer},
}

@article{lim2024intermittent,
  author  = {Lim, Chaea and Gonz{\'a}lez-Pe{\~n}a, Luc{\'\i}a and Yoon, Seojun},
  title   = {Intermittent but on Time: Scheduling When the Sun Decides},
  journal = tiny,
  volume  = 6,
  number  = 3,
  pages   = {140--159},
  year    = 2024,
  month   = jul,
  doi     = {10.5555/jts.2024.0603.140},
  pdf     = {https://papers.hanbit.example/lim2024intermittent.pdf},
  code    = {https://code.hanbit.example/cps/sundial},
  selected = {true},
  abstract = {Nodes without a battery die and come back many times a day. We give the first schedulability test for
              periodic tasks on such nodes that runs in $O(n \log n)$ and is exact for $n \leq 3$ power states.},
  keywords = {Energy harvesting},
}

@misc{lim2023preprint,
  author       = {Lim, Chaea and Gonz{\'a}lez-Pe{\~n}a, Luc{\'\i}a and Yoon, Seojun},
  title        = {Scheduling When the Sun Decides},
  howpublished = {Open Preprints 2309.0117},
  year         = 2023,
  month        = sep,
  url          = {https://preprints.example/2309.0117},
  preprint-of  = {lim2024intermittent},
}

@incollection{yoon2024chapter,
  author    = {Yoon, Seojun},
  title     = {Sensing Where Nobody Changes the Battery},
  booktitle = {Handbook of Patient Machines},
  editor    = {Ojala, Aino},
  publisher = {Lakeside Academic},
  pages     = {211--238},
  year      = 2024,
  month     = jan,
  doi       = {10.5555/hpm.2024.ch9},
}

@phdthesis{lim2023thesis,
  author = {Lim, Chaea},
  title  = {Timely Computing on Harvested Energy},
  school = {Hanbit University},
  year   = 2023,
  month  = aug,
  pdf    = {https://papers.hanbit.example/lim2023thesis.pdf},
  keywords = {Energy harvesting},
}

@inproceedings{lim2023checkpoint,
  author    = {Lim, Chaea and Yoon, Seojun},
  title     = {Checkpoints in {FRAM}: Saving 1\,kB Before the Lights Go Out},
  booktitle = {Proceedings of the 6th Conference on Small Embedded Systems},
  pages     = {87--98},
  year      = 2023,
  month     = mar,
  doi       = {10.5555/ses.2023.087},
  pdf       = {https://papers.hanbit.example/lim2023checkpoint.pdf},
  code      = {https://code.hanbit.example/cps/candle},
  keywords = {Energy harvesting, Small embedded systems},
}

@inproceedings{seo2023coil,
  author    = {서도윤 and 임채아 and 윤서준},
  title     = {벽체 매립형 코일의 정렬 오차에 따른 전송 효율 측정},
  booktitle = {한국사이버물리시스템학회 학술대회 논문집},
  pages     = {55--58},
  year      = 2023,
  month     = nov,
  keywords = {무선 전력 전송},
}

@article{lim2022budget,
  author  = {Lim, Chaea and Yoon, Seojun},
  title   = {Energy Budgets as Types},
  journal = tiny,
  volume  = 4,
  number  = 1,
  pages   = {5--27},
  year    = 2022,
  month   = feb,
  doi     = {10.5555/jts.2022.0401.005},
  pdf     = {https://papers.hanbit.example/lim2022budget.pdf},
  selected = {true},
  keywords = {Energy harvesting, Small embedded systems},
}

@inproceedings{yoon2022mesh,
  author    = {Yoon, Seojun and S{\o}rensen, Kasper and Lim, Chaea},
  title     = {Every Node a Road: Repairing Routes From Overheard Traffic},
  booktitle = {Conference on Sensor Networks in the Field},
  pages     = {120--133},
  year      = 2022,
  month     = oct,
  doi       = {10.5555/snf.2022.120},
  code      = {https://code.hanbit.example/cps/road},
  keywords = {Wireless sensor network},
}

@inproceedings{lim2022indoor,
  author    = {임채아 and 윤서준},
  title     = {실내조명 환경에서 태양전지의 하루 수확량 예측},
  booktitle = {한국사이버물리시스템학회 학술대회 논문집},
  pages     = {101--104},
  year      = 2022,
  month     = jun,
  keywords = {에너지 하베스팅},
}

@article{lim2021harvest,
  author  = {임채아 and 윤서준},
  title   = {에너지 하베스팅 노드를 위한 마감 시간 보장 작업 스케줄링},
  journal = kcps,
  volume  = 4,
  number  = 3,
  pages   = {201--214},
  year    = 2021,
  month   = sep,
  doi     = {10.5555/kcps.2021.0403.201},
  keywords = {에너지 하베스팅},
}

@inproceedings{yoon2021beacon,
  author    = {Yoon, Seojun and S{\o}rensen, Kasper},
  title     = {Beacons at {CO$_2$} Sensors: 31 Microjoules per Message},
  booktitle = {Conference on Low Energy Radio},
  pages     = {14--23},
  year      = 2021,
  month     = apr,
  doi       = {10.5555/ler.2021.014},
  keywords = {Low energy wireless communication},
}

@techreport{yoon2021testbed,
  author      = {Yoon, Seojun and Lim, Chaea},
  title       = {The Windowsill Testbed},
  institution = {Hanbit University},
  number      = {CPS-TR-3},
  year        = 2021,
  month       = jan,
  pdf         = {https://papers.hanbit.example/cps-tr-3.pdf},
}

@inproceedings{lim2020vibration,
  author    = {Lim, Chaea and {The Bridge Monitoring Group} and Yoon, Seojun},
  title     = {Traffic as a Power Plant: Vibration Harvesting on a Footbridge},
  booktitle = {Conference on Sensor Networks in the Field},
  pages     = {61--72},
  year      = 2020,
  month     = oct,
  doi       = {10.5555/snf.2020.061},
  pdf       = {https://papers.hanbit.example/lim2020vibration.pdf},
  keywords = {Energy harvesting},
}

@article{yoon2020lpl,
  author  = {Yoon, Seojun},
  title   = {The Price of Listening: A Survey of Low Power Reception},
  journal = tiny,
  volume  = 2,
  number  = 4,
  pages   = {301--340},
  year    = 2020,
  month   = dec,
  doi     = {10.5555/jts.2020.0204.301},
  keywords = {Low energy wireless communication},
}

@inproceedings{yoon2020class,
  author    = {윤서준},
  title     = {화분으로 배우는 사이버물리시스템: 학부 실습 과목의 설계},
  booktitle = {한국공학교육연구 학술대회},
  pages     = {9--12},
  year      = 2020,
  month     = jul,
}

@inproceedings{yoon2019clock,
  author    = {Yoon, Seojun and S{\o}rensen, Kasper},
  title     = {Clocks From Mains Hum: Synchrony Without a Radio},
  booktitle = {Proceedings of the 2nd Conference on Small Embedded Systems},
  pages     = {19--30},
  year      = 2019,
  month     = mar,
  doi       = {10.5555/ses.2019.019},
  pdf       = {https://papers.hanbit.example/yoon2019clock.pdf},
  keywords = {Low energy wireless communication},
}

@inproceedings{yoon2019pots,
  author    = {윤서준 and 오정민},
  title     = {창가 화분의 토양 수분 장기 측정},
  booktitle = {한국사이버물리시스템학회 학술대회 논문집},
  pages     = {21--24},
  year      = 2019,
  month     = jul,
  keywords = {무선 센서 네트워크},
}

@patent{yoon2019patent,
  author = {윤서준},
  title  = {상용 전원의 잡음을 이용한 센서 노드의 시각 동기화 방법},
  number = {등록특허 10-0000019},
  year   = 2019,
  month  = nov,
}

@article{yoon2019plants,
  author  = {Yoon, Seojun and Ojala, Aino},
  title   = {Twelve Pots on a Windowsill: A Small Data Set of Thirst},
  journal = tiny,
  volume  = 1,
  number  = 2,
  pages   = {88--97},
  year    = 2019,
  month   = jun,
  doi     = {10.5555/jts.2019.0102.088},
  code    = {https://code.hanbit.example/cps/pots},
  keywords = {Wireless sensor network},
}
`;
