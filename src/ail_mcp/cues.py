"""What words give a statement away: tables of cues for each class and language, and one pass that finds them all.

A cue is a word or a few words; `^` binds it to the start of a statement. A class is a type of atoms or a property of what is said:
`negation`, `hedge`, `narration` (talk about the talk), `past` (told as finished), `accept`, `reason`, `condition`, `correction`.
The pass looks words up in a dictionary, so its time grows with the text alone, however many cues there are. In scripts without spaces
between words the cues are looked for as they stand. To add a language is to add a table.
"""
from __future__ import annotations

import re
from collections import namedtuple
from itertools import accumulate, compress

Cue = namedtuple("Cue", "at kind weight first")
Cue.__doc__ = """A cue at a position of the text: its class, its weight (1 weak to 3 sure), and whether it counts only at the start of a statement."""

# class and weight -> cues, separated by commas
_ENGLISH = {
    "goal 3": "i want to, the desire is, motivation, we are aiming, aiming to, aims to, in order for us to, let's apply, we want a, "
              "the goal is, my goal, our goal, goal:, objective, i want to build, i want you to, i'd like you to, "
              "implement the following plan, ^implement, can you help me, help me, the task is, your task, ^build, ^lets start, "
              "^let's start, we want to achieve, i want to achieve, is there a way, ^goal, purpose of this, the aim is, "
              "we need to build, ^create a, ^write a, ^make a",
    "goal 2": "can you, could you, ^please, i want, i'd like, i would like, we want, would want, ^lets, ^let's, i need, we need, ^fix, "
              "^make, ^help, how would we, how do i, how can i, ^commit, ^push, make it so, ^go ahead, we should be able, to achieve, "
              "address, report to",
    "constraint 3": "must, must not, mustn't, never, always, do not, don't, shall not, required to, requirement, requirements, "
                    "not allowed, only allowed, make sure, ensure, at most, at least, no more than, no less than, not more than, "
                    "mandatory, forbidden, prohibited, under no circumstances, constraint, constraints, has to, have to, needs to be, "
                    "need to be, keep the, ^keep, ^avoid, ^no, ^only, strictly, should never, should always, should not, shouldn't, "
                    "may not, it is important that, ^verify, ^skip, hard limit, be careful, illegal",
    "constraint 2": "should, need to, needs to, only, without, limit, maximum, minimum, max, min, ^add, ^use, ^replace, ^update, "
                    "^remove, ^assert, ^call, ^create, ^set, ^run, ^get, ^convert, ^save, ^reply, ^ask, ^check, ^include, ^follow, "
                    "cannot, can't, supports, compatible, before, after, not be, still works, backward, backwards, first, rule, rules, "
                    "be implied by, be proven, be subset",
    "preference 3": "please use, be sure to, concise, test first, i do want to see, appealing, convincing, more elegant, elegant, "
                    "readable, verbose, professional style, as short as, minimalist, nice if, would be better, better name, "
                    "i'd like the, keep it simple, i prefer, we prefer, would prefer, prefer, preferably, i'd rather, i would rather, "
                    "i like, i'd like to see, i'd love, nicer, it'd be nice, would be nice, would be great, look and feel, look-n-feel, "
                    "style, i don't like, i hate, not a fan, favorite, favourite, my preference, i'm leaning, leaning towards, "
                    "i tend to, taste, inspired by, minimal, aesthetic, feels",
    "preference 2": "ideally, nice to have, if possible, rather, better if, more readable, cleaner, would like, i think we should, "
                    "i'd say, feel free, wish, personally, like the idea, sounds nice, simple, simpler",
    "decision 3": "let's leave, leave it for, for another session, i'll do that, i will do that, explicitly ignoring, for now, "
                  "postponed, postpone, deferred, out of scope, not the subject, one-way door, one-way-door, it's fine, this is fine, "
                  "i'll be using, crux of, the way to go, we agree, makes sense to, strawman, left out, will be added, "
                  "should add after, in favour of, in favor of, decided, we decided, decision, decisions, ^fix:, ^the fix, the fix is, "
                  "we'll go with, go with, i'll go with, let's go with, lets go with, let's use, lets use, we will use, we'll use, "
                  "i'll use, we use, agreed, agreement, consensus, settled on, opted for, chose, chosen, sounds best, the plan is, "
                  "conclusion, resolution, resolved to, the right tool, simplest fix, the solution, ^solution, approach:, "
                  "my recommendation, i recommend, recommended, design decisions, key design, we draw a distinction, accepted, "
                  "approved, let's keep, lets do, let's do, we are going to, i'm going with, switch to, switched to, it now, "
                  "will be used",
    "decision 2": "instead, ^use, uses, using, now uses, ^replace, ^i'll, i will, we will, we'll, default, the fix, the key change, "
                  "^updated, rather than, approach, strategy, primary, plan, ^fix, ^normalize, ^call, as the, is fine, that's fine, "
                  "can stay, intentionally, deliberately, by design, keeps, stays, leave, leaves, only, consistent with, ^add, ^remove, "
                  "^removed, ^replaced, triggers on",
    "rejection 3": "what are you doing, i didn't mean, i did not mean, shouldn't have, undo, undone, too much risk, more elegant than, "
                   "better than, declined, opposed to, explicitly opposed, not what you want, refused, by accident, accidentally, "
                   "mistake, not worth it, ditch, never mind, is out, falls short, no good, don't use, do not use, stop using, not use, "
                   "instead of, rather than, won't work, will not work, doesn't work, does not work, didn't work, did not work, "
                   "not going to work, ruled out, rule out, rejected, reject, abandoned, abandon, dropped, gave up, discarded, "
                   "not an option, no longer needed, not worth, bad idea, don't want, do not want, reverted, revert, rolled back, "
                   "backed out, scrap, scrapped, dead end, deprecated, replaced by, replaces, superseded, only works if, fights the, "
                   "would fight, mismatch, not chosen, against, nobody is arguing, not what i, not what we, not supported, "
                   "considered and, overkill, overkilling, too complex, too complicated, too slow, not needed, isn't worth, downside, "
                   "drawback, can't we just, why not just, would rather not, not a good, unnecessary, no need to, "
                   "i don't think we should, don't think that, not convinced, concern with, problem with, turned out, tempting, "
                   "kill the previous, moved away from, bypass, stop setting, no longer",
    "rejection 2": "not, instead, but, however, actually, ^wait, ^hmm, ^no, wrong, unlike, problem is, issue is, can't, cannot, "
                   "doesn't support, less general, without, alternative, alternatives, alternatively, remove, removed, removing, drop, "
                   "illegal, tried, previous attempt, too, avoid, avoids, flattened, cons, legacy, near-total rewrite, requires, failed",
    "fact 3": "root causes, mapping, equals to, named, is called, means literally, the default is, defaults to, pain points, "
              "pain point, root cause, the cause, caused by, because, the reason, due to, turns out, turned out, found that, "
              "it turns out, the bug is, the issue is, the problem is, the error is, observed, measured, returns, equals, located at, "
              "is stored, lives in, lives at, is defined, consists of, contains, version, error:, failed with, fails with, exit code, "
              "limitation, known limitation, ^note, there it is, i see the issue, this is a, which means, means that, overwrites, "
              "is set by, equivalent, currently, today, by default, the key insight",
    "fact 2": "doesn't, uses, so that, always get, takes, works, fails, failing, creates, gets, sets, clears, reads, writes, points, "
              "stored, happens, leads to, imports, expects, needed for, roughly, approximately, exists, bug",
    "fact 1": "is, are, was, were, has, have, does, since, supports, correct, valid, there are, for example, e.g, about, issue, per",
    "open 3": "worries me, concern, concerns, might be good, would be good to, untested, next up, next in, could be added, "
              "should be extracted, duplicated across, not verified, queued, in future, future meeting, needs its own, not settled, "
              "not resolved, no answer, to be discussed, worth discussing, to discuss, should be fixed, should fix, still open, ^open, "
              "no tests, has no, lacks, todo, to do, to-do, not yet, still need, still needs, still have to, remaining, next step, "
              "next steps, open question, open questions, unresolved, undecided, pending, follow-up, followup, follow up, in progress, "
              "to be done, tbd, to be decided, not done, not implemented, needs more, unclear, unsure, not sure, not entirely sure, "
              "need to decide, we need to decide, which way, should we, shall we, shall i, do you want, want me to, would you like, "
              "let me know, which approach, which one, what about, how about, future work, later, not ready, not quite ready, "
              "working on, need to add, consider using, consider, issues found, suggestion, suggestions, ready for execution, "
              "ready to execute, outstanding, blocked, waiting for, still fails, still failing, needs investigation, to investigate, "
              "wants more, would require, manual test, more examples, could we, can we, is it possible, would it be, do we, are we, "
              "why is, why does, what is, what are, how do we, what can be, what's the, what happens, wondering, i wonder, "
              "the question is, questions, haven't, hasn't, isn't yet, depends on whether, next:",
    "open 2": "need to, needs, need, next, should be, must be, missing, lost, stale, will need, we could, could, might want, plan to, "
              "planned, improvement, improve, eventually, at some point, until, once, ^then, awkward, idea, ideas, proposal, suggest, "
              "suggested, fails, failing, failed, error, options, choice, choose, either, whether, manually, low priority, ^fix, ^add, "
              "^update, ^check, ^implement, ^verify",
    "done 3": "addressed, replied to, ready to merge, is now at, now at, has now, are done, was added, were added, was created, "
              "was removed, was moved, moved to, i have now, done, ^done, all done, completed, ^completed, finished, committed as, "
              "committed, pushed, merged, pr created, created pr, all tests pass, tests pass, now pass, passes, passed, successfully, "
              "^added, ^created, ^updated, ^fixed, ^removed, ^replaced, ^implemented, ^renamed, ^moved, were updated, was updated, "
              "has been, have been, is now, are now, now works, works now, verified, confirmed, launched, opened, deployed, released, "
              "published, installed, i've added, i've created, i've updated, i've fixed, i've written, i've implemented, already, "
              "lint passes, 0 issues, working tree is clean, all green, resolved, here's what i built, no errors, shipped, ^changed, "
              "^wrote, ^refactored, ^cleaned, ^extracted, ^converted",
    "done 2": "now, added, created, updated, fixed, removed, replaced, implemented, renamed, moved, written, changes made, changed, "
              "summary of, built, pass, clean, call sites, configured, enabled, set up, converted, extracted, refactored, applied, "
              "adds, works, includes",
    "artifact 3": "draft, create mode, document is, new story, document is now, new section, new document, file edited, file created, "
                  "new branch, new option, new command, new test file, new file, created file, new helper, new function, new module, "
                  "new class, helper, lives at, lives in, located in, branch, pull request, pr #, worktree, repository, repo created, "
                  "root-commit, initial commit, plan location, saved to, saved at, written to, work plan, new script, new test, "
                  "new package, reusable, sample workflow, workflow file, on branch, ^file, stabilization pr",
    "artifact 2": "created, added, new, commit, updated, endpoint, schema, renamed",
    "artifact 1": "file, files, module, function, class, script, directory, folder, test, tests, package, document, method, component, "
                  "config, path",
    "safety 4": "explicit permission, my explicit, without explicit, do not read, must not leave, may not be shared, "
                "do not touch production, never use git add, never push, never delete, never force, do not push, don't push, "
                "do not delete, don't delete, ask before, ask me before, ask first, without asking, without my permission, "
                "without approval, confirm before, personal data, untrusted, least privilege, rm -rf",
    "safety 3": "never push, never commit, never delete, never force, don't push, do not push, don't commit, do not commit, "
                "don't delete, do not delete, ask before, ask me before, ask first, without asking, without my permission, "
                "without approval, confirm before, secret, secrets, credential, credentials, password, passwords, api key, api keys, "
                "private key, pii, personal data, gdpr, security, untrusted, least privilege, minimal permissions, read-only access, "
                "production database, privacy, private data, sensitive, sandbox, permission, permissions, no untrusted, destructive, "
                "force-push, force push, rm -rf, access only, only access, limit access, confidential, leak, leaks, anonymous",
    "safety 2": "token, tokens, access, pat, safe, safely, dangerous, risk, risky, blast radius, executed, auth, authenticated, "
                "telemetry, opt-in, opt-out, opt out",
    "hedge 2": "maybe, perhaps, probably, might, possibly, i think, i guess, i believe, seems, seem, likely, could be, may be, "
               "not sure, unsure, presumably, i suspect, apparently, potentially, wonder if, in theory, supposedly",
    "narration 3": "^let me, ^now let me, ^i'll start, ^now i need, ^now i have, ^now i'll, ^i'll check, ^let's see, ^let me check, "
                   "^good let me, ^first let me, ^now add, ^now update, ^now check, ^now run, ^now the, ^looking at, ^i'll now, "
                   "^next i'll, ^let's check, ^let's look, ^i'm going to, ^now remove, ^now fix, ^i'll look, ^i'll read, "
                   "^i need to look, ^i'll analyze, ^i'll search, ^i'll review, ^i'll help, ^great question, ^good question, "
                   "^excellent, ^perfect, ^ready when you are, ^let me look, ^here's a, ^here is, ^sure, ^you're right, "
                   "^you're absolutely",
    "narration 1": "let me, i'll check, now let's, see what",
    "past 2": "added, created, updated, fixed, removed, replaced, implemented, renamed, moved, changed, committed, pushed, merged, wrote",
    "accept 3": "^yes, ^yep, ^yeah, ^yup, ^sure, ^ok, ^okay, ^sounds good, ^go ahead, ^do it, ^perfect, ^great, ^agreed, ^correct, "
                "^exactly, ^please do, ^lgtm, ^approved, ^proceed, ^continue, ^i like your, ^make it so, ^right, ^fine, ^cool, "
                "^good idea, ^y, ^absolutely, ^that works, sounds best, i like your rec, works for me, sounds good, go for it",
    "refuse 3": "^no, ^nope, ^stop, ^don't, ^not that, ^wait, ^nah, ^hmm no, ^no need, ^cancel",
    "reason 2": "because, since, due to, as it, so that, the reason, otherwise, or else, in order to, given that",
    "condition 2": "if, unless, except, except when, only when, only if, when, whenever, until, as long as, provided, provided that, "
                   "in case",
    "order 3": "ignore all, ignore previous, ignore the above, ignore any, ignore your, disregard, you must, you should, you are now, "
               "your instructions, system prompt, new instructions, earlier instructions, previous instructions, prior instructions, "
               "do not tell, don't tell, without telling, ^please, ^run, ^execute, ^delete, ^send, ^upload, ^post, ^download, ^open, "
               "^visit, ^forward, ^transfer, ^install, ^never, ^always, act as, pretend, assistant must, assistant should, "
               "the user wants, the user asked",
    "correction 3": "^no, i meant, i said, not that, wrong, that's not, that is not, you misunderstood, misunderstood, actually, "
                    "correction, ^also, it should be, should have been, instead, change it to, make it, ^hmm",
}
_GERMAN = {
    "goal 3": "das ziel ist, ziel ist, ich möchte, ich will, wir wollen, ich hätte gern, kannst du, bitte baue, bitte erstelle",
    "constraint 3": "muss, müssen, darf nicht, dürfen nicht, darf nur, niemals, nie, immer, auf keinen fall, verboten, mindestens, "
                    "höchstens, maximal, nur, soll nicht, sollen nicht, keine, kein, ohne, zwingend, pflicht, soll, sollen",
    "preference 3": "am liebsten, lieber, bevorzuge, wäre schön, mir gefällt, bevorzugt, gerne",
    "decision 3": "entschieden, wir nehmen, wir verwenden, wir nutzen, ich nehme, beschlossen, entscheidung, einigen uns, "
                  "einverstanden, wir bleiben bei",
    "rejection 3": "verworfen, abgelehnt, statt, anstatt, anstelle, funktioniert nicht, geht nicht, klappt nicht, nicht mehr, "
                   "aufgegeben, ausgeschlossen, verwerfen",
    "open 3": "noch nicht, offen, offene frage, noch zu tun, zu erledigen, unklar, sollen wir, steht noch aus, muss noch, ausstehend, "
              "nächster schritt",
    "done 3": "erledigt, fertig, abgeschlossen, hinzugefügt, behoben, erstellt, umgesetzt",
    "fact 3": "weil, grund, ursache, liegt an, fehler, ist, sind",
    "hedge 2": "vielleicht, vermutlich, wahrscheinlich, möglicherweise, eventuell",
    "safety 3": "passwort, zugangsdaten, geheimnis, datenschutz, vorher fragen, nicht löschen",
    "negation 2": "nicht, kein, keine, keinen, keiner, nie, niemals, ohne",
    "accept 3": "^ja, ^genau, ^passt, ^gerne, ^mach das, ^in ordnung, ^einverstanden",
    "refuse 3": "^nein, ^stopp, ^lass das",
    "condition 2": "wenn, falls, außer, es sei denn, nur wenn, sobald, bis",
}
_FRENCH = {
    "goal 3": "le but est, l'objectif est, je veux, je voudrais, j'aimerais, nous voulons, peux-tu, peux tu, pouvez-vous",
    "constraint 3": "il faut, doit, doivent, ne doit pas, ne doivent pas, jamais, toujours, interdit, obligatoire, au moins, au plus, "
                    "maximum, uniquement, ne pas, n'utilise pas, seulement, sans, aucun, aucune",
    "preference 3": "je préfère, de préférence, plutôt, j'aime mieux, ce serait bien",
    "decision 3": "décidé, nous utilisons, on utilise, on prend, on garde, d'accord, décision, choisi, nous avons choisi",
    "rejection 3": "rejeté, abandonné, au lieu de, plutôt que, ne marche pas, ne fonctionne pas, écarté, ne plus, refusé",
    "open 3": "pas encore, reste à, à faire, question ouverte, en attente, faut-il, à décider, prochaine étape",
    "done 3": "terminé, fini, ajouté, corrigé, créé, fait",
    "fact 3": "parce que, à cause de, la cause, l'erreur, est, sont",
    "hedge 2": "peut-être, probablement, sans doute, il semble",
    "safety 3": "mot de passe, secret, confidentiel, données personnelles, demande avant",
    "negation 2": "ne, n'est, pas, jamais, aucun, aucune, sans, ni, plus",
    "accept 3": "^oui, ^d'accord, ^parfait, ^vas-y, ^ok",
    "refuse 3": "^non, ^arrête",
    "condition 2": "si, sauf, à moins, seulement si, lorsque, quand",
}
_SPANISH = {
    "goal 3": "el objetivo es, quiero, queremos, quisiera, me gustaría, puedes, necesito que",
    "constraint 3": "debe, deben, no debe, no deben, nunca, siempre, hay que, tiene que, tienen que, prohibido, obligatorio, "
                    "como máximo, al menos, solo, sólo, únicamente, no uses, sin, ningún, ninguna",
    "preference 3": "prefiero, preferiblemente, mejor si, me gusta más, sería bueno",
    "decision 3": "decidimos, decidido, usaremos, vamos a usar, vamos con, elegimos, decisión, de acuerdo, acordamos",
    "rejection 3": "rechazado, descartado, descartamos, en lugar de, en vez de, no funciona, no sirve, abandonado, ya no",
    "open 3": "todavía no, aún no, pendiente, por hacer, queda por, falta, pregunta abierta, sin decidir, próximo paso",
    "done 3": "hecho, terminado, completado, añadido, corregido, creado, listo",
    "fact 3": "porque, debido a, la causa, el error, es, son",
    "hedge 2": "quizás, quizá, tal vez, probablemente, parece",
    "safety 3": "contraseña, secreto, credenciales, datos personales, pregunta antes",
    "negation 2": "no, nunca, ningún, ninguna, sin, ni, jamás, tampoco",
    "accept 3": "^sí, ^si, ^vale, ^de acuerdo, ^perfecto, ^adelante",
    "refuse 3": "^para, ^detente",
    "condition 2": "si, salvo, excepto, a menos que, solo si, cuando, hasta",
}
_RUSSIAN = {
    "goal 3": "цель, я хочу, хочу, мы хотим, нужно сделать, надо сделать, сделай, помоги, можешь",
    "constraint 3": "должен, должна, должно, должны, не должен, не должна, не должны, нельзя, никогда, всегда, обязательно, запрещено, "
                    "только, не более, не менее, максимум, минимум, нужно, надо, не используй, не трогай, не надо, без",
    "preference 3": "предпочитаю, лучше бы, желательно, мне нравится, хотелось бы, предпочтительно, лучше",
    "decision 3": "решили, решено, решил, будем использовать, используем, выбрали, выбираю, договорились, остановились на, берём, "
                  "берем, оставляем",
    "rejection 3": "отказались, отклонили, отклонено, вместо, не работает, не подходит, не сработало, больше не, отбросили, не годится, "
                   "не получилось",
    "open 3": "ещё не, еще не, пока не, осталось, открытый вопрос, не решено, надо решить, следующий шаг, предстоит, в процессе",
    "done 3": "готово, сделано, завершено, добавил, добавлено, исправил, исправлено, создал, создано, работает",
    "fact 3": "потому что, из-за, причина, ошибка, оказалось, так как",
    "hedge 2": "возможно, наверное, вероятно, может быть, кажется",
    "safety 3": "пароль, пароли, секрет, персональные данные, спроси перед, ключ доступа",
    "negation 2": "не, нет, нельзя, никогда, без, ни",
    "accept 3": "^да, ^хорошо, ^ок, ^согласен, ^давай, ^отлично",
    "refuse 3": "^нет, ^стоп, ^не надо",
    "condition 2": "если, кроме, только если, когда, пока",
}
# Scripts without spaces: looked for as they stand.
_CHINESE = {
    "goal 3": "目标是 我想 我要 我们想 请帮 帮我 希望能",
    "constraint 3": "必须 不得 不能 禁止 不要 不许 务必 一定要 只能 至少 最多 不可以 绝不 永远不 始终 不应 应该",
    "preference 3": "更喜欢 最好 偏好 倾向于 比较喜欢",
    "decision 3": "决定 我们用 采用 选择 同意 确定使用 就用",
    "rejection 3": "放弃 拒绝 而不是 不采用 否决 行不通 不再 弃用 代替 不适用 没用",
    "open 3": "还没 尚未 待办 未完成 待定 未解决 下一步 是否 需要确认",
    "done 3": "完成 已经 做好了 已添加 已修复 搞定",
    "fact 3": "因为 原因 由于 导致 错误",
    "hedge 2": "可能 也许 大概 或许",
    "safety 3": "密码 密钥 隐私 机密 先问",
    "negation 2": "不 没 无 别 未",
    "accept 3": "^好 ^是的 ^可以 ^对 ^同意",
    "refuse 3": "^不要 ^不行 ^停",
    "condition 2": "如果 除非 除了 只有",
}
_JAPANESE = {
    "goal 3": "目的は 目標は したいです してほしい してください 作りたい",
    "constraint 3": "なければならない なければなりません 必ず 絶対に 禁止 してはいけない しないで してはならない 以内 のみ べき "
                    "しないこと 必須 ないでください 常に",
    "preference 3": "の方がいい 好み できれば が望ましい 方が好き",
    "decision 3": "に決定 決めました にします を採用 を使います ことにした ことにしました",
    "rejection 3": "却下 やめました 代わりに ではなく 動かない 使わない 採用しない 廃止 断念 ボツ",
    "open 3": "まだ 未定 未解決 残っている 課題 次のステップ でしょうか 未完了",
    "done 3": "完了 しました 済み 終わりました",
    "fact 3": "なぜなら 原因 ため エラー ので",
    "hedge 2": "かもしれ おそらく たぶん",
    "safety 3": "パスワード 秘密 個人情報 機密",
    "negation 2": "ない ません なし せず ではなく",
    "accept 3": "^はい ^了解 ^お願いします ^いいです",
    "refuse 3": "^いいえ ^だめ ^やめて",
    "condition 2": "場合 なら 限り 以外",
}
_NEGATION = ("not, no, never, don't, doesn't, didn't, won't, can't, cannot, isn't, aren't, wasn't, shouldn't, mustn't, without, none, neither, nor, "
             "avoid, wouldn't, couldn't, haven't, hasn't, nothing, nobody, instead, reject, rejected")
SPACED = {"en": {**_ENGLISH, "negation 2": _NEGATION}, "de": _GERMAN, "fr": _FRENCH, "es": _SPANISH, "ru": _RUSSIAN}
UNSPACED = {"zh": _CHINESE, "ja": _JAPANESE}

_CUE_WORD = re.compile(r"([^\W_]+(?:['’][^\W\d_]+)*)")
_UNSPACED_SCRIPT = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
# In these languages short words are words of English too ("si", "die", "es"); a text that holds none of their common words is not theirs.
_TELLS = {
    "de": frozenset("der das und nicht ist ich wir mit auf für ein eine einen dem zu bitte wird nur dass".split()),
    "fr": frozenset("le la les et est une des pas nous je vous pour dans que il ne du au".split()),
    "es": frozenset("el los las y una que por para se del la al en".split()),
}
_ANY_TELL = frozenset().union(*_TELLS.values())


def _index(tables: dict) -> dict:
    """First word -> (rows of that word alone, second word -> [(further words, row)], longest first); a row is (class, weight, only at the start)."""
    index: dict[str, tuple[list, dict]] = {}
    for key, cues in tables.items():
        kind, weight = key.split()
        for cue in cues.split(","):
            cue = cue.strip()
            first, *more = (word.lower() for word in _CUE_WORD.findall(cue))
            alone, followed = index.setdefault(first, ([], {}))
            row = kind, int(weight), cue.startswith("^")
            if more:
                followed.setdefault(more[0], []).append((tuple(more[1:]), row))
            else:
                alone.append(row)
    for _, followed in index.values():
        for entries in followed.values():
            entries.sort(key=lambda entry: -len(entry[0]))
    return index


_INDEXES: dict[str, dict] = {}
_PATTERNS: dict[str, tuple] = {}


def _spaced(language: str) -> dict:
    if language not in _INDEXES:
        _INDEXES[language] = _index(SPACED[language])
    return _INDEXES[language]


def _unspaced(language: str) -> tuple:
    """(pattern of all cues, cue -> [(class, weight, only at the start)])."""
    if language not in _PATTERNS:
        found: dict[str, list] = {}
        for key, cues in UNSPACED[language].items():
            kind, weight = key.split()
            for cue in cues.split():
                found.setdefault(cue.lstrip("^"), []).append((kind, int(weight), cue.startswith("^")))
        pattern = re.compile("|".join(map(re.escape, sorted(found, key=len, reverse=True))))
        _PATTERNS[language] = pattern, found
    return _PATTERNS[language]


def languages_of(text: str, words: list[str] | None = None) -> list[str]:
    """The languages whose cues may stand in a text: English always, others by their script or by two of their commonest words. `words` are its
    `spoken_words`, if the caller has them: most texts hold no two words of another language."""
    sample = text[:20_000]
    found = ["en"]
    if words is None or len(text) > len(sample) or len(_ANY_TELL.intersection(words)) > 1:
        in_sample = frozenset(word.lower() for word in _CUE_WORD.findall(sample))
        found += [language for language, tells in _TELLS.items() if len(in_sample & tells) >= min(4, max(2, len(in_sample) // 12))]
    if not sample.isascii():
        if re.search("[\u0400-\u04ff]", sample):
            found.append("ru")
        if _UNSPACED_SCRIPT.search(sample):
            found.append("ja" if re.search("[\u3040-\u30ff]", sample) else "zh")
    return found


def find_cues(text: str) -> list[Cue]:
    """All cues in a text, in order of position within each language."""
    return [Cue(at, *row) for at, rows in cue_rows(text, *spoken_words(text)) for row in rows]


def cue_rows(text: str, places: list[int], words: list[str]) -> list[tuple[int, list]]:
    """(position, (class, weight, only at the start) of each cue there) of a text, in order of position within each language. `places` and `words`
    are its `spoken_words`."""
    found: list[tuple[int, list]] = []
    for language in languages_of(text, words):
        if language in SPACED:
            found += _look_up(places, words, _spaced(language))
        else:
            pattern, rows = _unspaced(language)
            found += ((match.start(), rows[match[0]]) for match in pattern.finditer(text))
    return found


class LowerWords(dict):
    """Words in lower case with plain apostrophes, each kept once: a session says the same ones again and again."""

    def __missing__(self, word: str) -> str:
        low = word.lower().replace("’", "'")
        self[word] = low = self.setdefault(low, low)
        return low


def spoken_words(text: str, known: LowerWords | None = None) -> tuple[list[int], list[str]]:
    """The positions of the words, and the words in lower case with plain apostrophes; `known` are those of other texts."""
    pieces = _CUE_WORD.split(text)      # what stands between the words and the words, in turn
    known = LowerWords() if known is None else known
    return list(accumulate(map(len, pieces)))[:-1:2], list(map(known.__getitem__, pieces[1::2]))


def _look_up(places: list[int], words: list[str], index: dict) -> list[tuple[int, list]]:
    """The cues at each word that begins one: of each class the longest that is there."""
    found = []
    for place in compress(range(len(words)), map(index.__contains__, words)):
        rows, followed = index[words[place]]
        if followed and place + 1 < len(words) and (entries := followed.get(words[place + 1])):
            longer: dict[str, tuple] = {}
            for more, row in entries:
                if row[0] not in longer and tuple(words[place + 2:place + 2 + len(more)]) == more:
                    longer[row[0]] = row
            rows = [*longer.values(), *(row for row in rows if row[0] not in longer)]
        if rows:
            found.append((places[place], rows))
    return found
