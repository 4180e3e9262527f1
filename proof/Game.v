(** Finite zero-sum stochastic games by turns with rational chances, and the theorem about their bounds. *)

From Coq Require Import QArith Qround Qminmax Lqa List PArith Arith Lia.
Import ListNotations.
Open Scope Q_scope.

(** * The game *)

Definition state := positive.

(** One way the dice can fall. The reward is a whole number over the game's [unit]; [next] is [None] when play ends.
    If [same_player] is false, the next value belongs to the other player and counts against this one. *)
Record outcome := Outcome { weight : positive; reward : Z; same_player : bool; next : option state }.

(** An action has at least one outcome, and a state at least one action: a first one and a list of others. *)
Definition action : Type := outcome * list outcome.
Record node := Node { maximises : bool; actions : action * list action }.

Definition every {A} (l : A * list A) : list A := fst l :: snd l.

Definition valuation := state -> Q.

Section Game.

Variable unit : positive.
Variable node_of : state -> option node.

(** The reward of an outcome and the value after it: [v t] for the same player, [- w t] for the other. In the game
    [v] and [w] are the same valuation; a certificate takes an upper and a lower one. *)
Definition ahead (v w : valuation) (o : outcome) : Q :=
  (reward o # unit) +
  match next o with
  | None => 0
  | Some t => if same_player o then v t else - w t
  end.

Definition sum (l : list Q) : Q := fold_right Qplus 0 l.
Definition chance (o : outcome) : Q := Zpos (weight o) # 1.
Definition total (a : action) : Q := sum (map chance (every a)).
Definition expected (v w : valuation) (a : action) : Q :=
  sum (map (fun o => chance o * ahead v w o) (every a)) / total a.

Definition best (maximise : bool) (first : Q) (others : list Q) : Q :=
  fold_right (if maximise then Qmax else Qmin) first others.

Definition step (v w : valuation) (s : state) : Q :=
  match node_of s with
  | None => 0
  | Some n =>
      best (maximises n) (expected v w (fst (actions n))) (map (expected v w) (snd (actions n)))
  end.

(** The one-step operator, and the values of the game of [n] steps that pays [v] where it is broken off. *)
Definition T (v : valuation) : valuation := step v v.

Fixpoint steps (n : nat) (v : valuation) : valuation :=
  match n with
  | O => v
  | S k => T (steps k v)
  end.

(** * One step is monotone in [v], antitone in [w], and non-expansive *)

Definition follows (s t : state) : Prop :=
  exists n a o, node_of s = Some n /\ In a (every (actions n)) /\ In o (every a) /\ next o = Some t.

Lemma sum_shift : forall (f g : outcome -> Q) e l,
  (forall o, In o l -> f o <= g o + e) ->
  sum (map (fun o => chance o * f o) l) <= sum (map (fun o => chance o * g o) l) + e * sum (map chance l).
Proof.
  induction l as [| o l IH]; intros H; simpl; [lra |].
  assert (A := H o (or_introl eq_refl)).
  assert (B : forall o', In o' l -> f o' <= g o' + e) by (intros; apply H; simpl; auto).
  specialize (IH B).
  assert (C : chance o * f o <= chance o * (g o + e)).
  { rewrite (Qmult_comm (chance o)), (Qmult_comm (chance o)).
    apply Qmult_le_compat_r; [exact A | unfold chance, Qle; simpl; lia]. }
  lra.
Qed.

Lemma sum_positive : forall o l, 0 < sum (map chance (o :: l)).
Proof.
  intros o l. assert (H : 0 <= sum (map chance l)).
  { induction l as [| p l IH]; simpl; [lra |].
    assert (0 <= chance p) by (unfold chance, Qle; simpl; lia). lra. }
  simpl. assert (0 < chance o) by (unfold chance, Qlt; simpl; lia). lra.
Qed.

Lemma total_positive : forall a, 0 < total a.
Proof. intros [o l]. apply sum_positive. Qed.

Lemma expected_shift : forall v w v' w' a e,
  (forall o, In o (every a) -> ahead v w o <= ahead v' w' o + e) ->
  expected v w a <= expected v' w' a + e.
Proof.
  intros v w v' w' a e H. unfold expected.
  assert (P := total_positive a).
  apply Qle_shift_div_r; [exact P |].
  setoid_replace ((sum (map (fun o => chance o * ahead v' w' o) (every a)) / total a + e) * total a)
    with (sum (map (fun o => chance o * ahead v' w' o) (every a)) + e * total a)
    by (field; intro Z; rewrite Z in P; discriminate).
  apply sum_shift. exact H.
Qed.

Lemma best_shift : forall (f g : action -> Q) e maximise a l,
  (forall b, In b (a :: l) -> f b <= g b + e) ->
  best maximise (f a) (map f l) <= best maximise (g a) (map g l) + e.
Proof.
  intros f g e maximise a l H. unfold best. induction l as [| b l IH]; simpl.
  - apply H; simpl; auto.
  - assert (B : f b <= g b + e) by (apply H; simpl; auto).
    assert (A : forall c, In c (a :: l) -> f c <= g c + e) by (intros c [C | C]; apply H; simpl; auto).
    specialize (IH A). destruct maximise.
    + apply Q.max_lub.
      * assert (M := Q.le_max_l (g b) (fold_right Qmax (g a) (map g l))). lra.
      * assert (M := Q.le_max_r (g b) (fold_right Qmax (g a) (map g l))). lra.
    + destruct (Q.min_spec (g b) (fold_right Qmin (g a) (map g l))) as [[_ M] | [_ M]]; rewrite M.
      * assert (N := Q.le_min_l (f b) (fold_right Qmin (f a) (map f l))). lra.
      * assert (N := Q.le_min_r (f b) (fold_right Qmin (f a) (map f l))). lra.
Qed.

Lemma step_shift : forall v w v' w' s e, 0 <= e ->
  (forall t, follows s t -> v t <= v' t + e /\ w' t <= w t + e) ->
  step v w s <= step v' w' s + e.
Proof.
  intros v w v' w' s e E H. unfold step. destruct (node_of s) as [n |] eqn:N; [| lra].
  apply best_shift. intros a A. apply expected_shift. intros o O. unfold ahead.
  destruct (next o) as [t |] eqn:X; [| lra].
  assert (F : follows s t) by (exists n, a, o; auto).
  destruct (H t F). destruct (same_player o); lra.
Qed.

(** The operator is non-expansive in the maximum norm; it is monotone where no outcome changes the player. *)
Theorem T_non_expansive : forall v w e, 0 <= e ->
  (forall s, - e <= v s - w s <= e) -> forall s, - e <= T v s - T w s <= e.
Proof.
  intros v w e E H s. unfold T.
  assert (step v v s <= step w w s + e) by (apply step_shift; [lra | intros t _; specialize (H t); lra]).
  assert (step w w s <= step v v s + e) by (apply step_shift; [lra | intros t _; specialize (H t); lra]).
  lra.
Qed.

(** * Bounds by layers *)

Section Bounds.

Variable states : list state.
Variable layer : state -> nat.
Variables lower upper : valuation.

(** Play stays among the listed states and never returns to a higher layer. *)
Hypothesis closed : forall s t, In s states -> follows s t -> In t states /\ (layer t <= layer s)%nat.

(** A state is [ranked] if all play from it leads to lower layers. *)
Definition ranked (s : state) : Prop := forall t, follows s t -> (layer t < layer s)%nat.

(** One step from the bounds stays within the bounds, and strictly so if the state is not ranked. *)
Hypothesis holds : forall s, In s states -> step upper lower s <= upper s /\ lower s <= step lower upper s.
Hypothesis strict : forall s, In s states ->
  ranked s \/ (step upper lower s < upper s /\ lower s < step lower upper s).

Definition within (v : valuation) (e : Q) (s : state) : Prop := lower s - e <= v s <= upper s + e.

Lemma least_gap : exists d, 0 < d /\ forall s, In s states ->
  ranked s \/ (step upper lower s + d <= upper s /\ lower s + d <= step lower upper s).
Proof.
  revert strict. clear. induction states as [| s l IH]; intros H.
  - exists 1. split; [reflexivity | intros s []].
  - destruct IH as [d [D G]]; [intros t I; apply H; simpl; auto |].
    destruct (H s (or_introl eq_refl)) as [R | [A B]].
    + exists d. split; [exact D |]. intros t [<- | I]; auto.
    + exists (Qmin d (Qmin (upper s - step upper lower s) (step lower upper s - lower s))).
      assert (M := Q.le_min_l d (Qmin (upper s - step upper lower s) (step lower upper s - lower s))).
      assert (N := Q.le_min_r d (Qmin (upper s - step upper lower s) (step lower upper s - lower s))).
      assert (K := Q.le_min_l (upper s - step upper lower s) (step lower upper s - lower s)).
      assert (L := Q.le_min_r (upper s - step upper lower s) (step lower upper s - lower s)).
      split.
      * apply Q.min_glb_lt; [exact D |]. apply Q.min_glb_lt; lra.
      * intros t [<- | I]; [right; lra |]. destruct (G t I); [left; assumption | right; lra].
Qed.

Lemma some_error : forall v l, exists e, 0 <= e /\ forall s, In s l -> within v e s.
Proof.
  intros v. induction l as [| s l [e [E H]]].
  - exists 0. split; [lra | intros s []].
  - exists (Qmax e (Qmax (v s - upper s) (lower s - v s))).
    assert (A := Q.le_max_l e (Qmax (v s - upper s) (lower s - v s))).
    assert (B := Q.le_max_r e (Qmax (v s - upper s) (lower s - v s))).
    assert (C := Q.le_max_l (v s - upper s) (lower s - v s)).
    assert (D := Q.le_max_r (v s - upper s) (lower s - v s)).
    split; [lra |]. intros t [<- | I]; unfold within in *; [| specialize (H t I)]; lra.
Qed.

Lemma archimedes : forall e d, 0 < d -> exists j : nat, e <= inject_Z (Z.of_nat j) * d.
Proof.
  intros e d D. destruct (Qlt_le_dec e 0) as [N | P].
  - exists O. change (inject_Z (Z.of_nat 0)) with 0. lra.
  - exists (Z.to_nat (Qceiling (e / d))). rewrite Z2Nat.id.
    + assert (H := Qle_ceiling (e / d)).
      apply Qle_trans with (e / d * d); [| apply Qmult_le_compat_r; lra].
      setoid_replace (e / d * d) with e by (field; lra). lra.
    + assert (H : 0 <= e / d) by (apply Qle_shift_div_l; lra).
      apply (Qceiling_resp_le 0) in H. exact H.
Qed.

(** After one more step, an error of [e] has become at most [e - d], or 0. *)
Lemma one_more : forall v d e, 0 < d -> 0 <= e ->
  (forall s, In s states ->
     ranked s \/ (step upper lower s + d <= upper s /\ lower s + d <= step lower upper s)) ->
  forall k,
  (forall s, In s states -> (layer s < k)%nat -> within v 0 s) ->
  (forall s, In s states -> layer s = k -> within v e s) ->
  forall s, In s states -> (layer s <= k)%nat -> forall e', 0 <= e' -> e - d <= e' -> within (T v) e' s.
Proof.
  intros v d e D E G k Below At s I K e' E' F. unfold T.
  destruct (holds s I) as [Up Down].
  destruct (le_lt_eq_dec _ _ K) as [Lt | Eq]; [| destruct (G s I) as [R | [GU GL]]].
  1, 2: assert (W : forall t, follows s t -> within v 0 t)
    by (intros t X; destruct (closed s t I X) as [J Y]; apply Below; [exact J |];
        try specialize (R t X); lia).
  1, 2: assert (step v v s <= step upper lower s + 0)
    by (apply step_shift; [lra | intros t X; specialize (W t X); unfold within in W; lra]);
    assert (step lower upper s <= step v v s + 0)
    by (apply step_shift; [lra | intros t X; specialize (W t X); unfold within in W; lra]);
    unfold within; lra.
  assert (W : forall t, follows s t -> within v e t).
  { intros t X. destruct (closed s t I X) as [J Y].
    destruct (Nat.eq_dec (layer t) k) as [Same | Other]; [apply At; assumption |].
    assert (B : within v 0 t) by (apply Below; [exact J | lia]). unfold within in *. lra. }
  assert (step v v s <= step upper lower s + e)
    by (apply step_shift; [lra | intros t X; specialize (W t X); unfold within in W; lra]).
  assert (step lower upper s <= step v v s + e)
    by (apply step_shift; [lra | intros t X; specialize (W t X); unfold within in W; lra]).
  unfold within. lra.
Qed.

Lemma steps_plus : forall j n v, steps (j + n) v = steps j (steps n v).
Proof. induction j; intros; simpl; [reflexivity | rewrite IHj; reflexivity]. Qed.

Lemma by_layers : forall v k, exists n, forall m, (n <= m)%nat ->
  forall s, In s states -> (layer s < k)%nat -> within (steps m v) 0 s.
Proof.
  intros v k. destruct least_gap as [d [D G]]. induction k as [| k [n IH]].
  - exists O. intros. lia.
  - destruct (some_error (steps n v) states) as [e [E Err]].
    assert (Shrinks : forall j s, In s states -> (layer s <= k)%nat ->
      within (steps (j + n) v) (Qmax 0 (e - inject_Z (Z.of_nat j) * d)) s).
    { induction j as [| j IHj]; intros s I K.
      - specialize (Err s I). simpl.
        assert (M := Q.le_max_r 0 (e - inject_Z 0 * d)). unfold within in *. change (inject_Z 0) with 0 in *. lra.
      - change (steps (S j + n) v) with (T (steps (j + n) v)).
        set (x := inject_Z (Z.of_nat j) * d) in *.
        assert (X : inject_Z (Z.of_nat (S j)) * d == x + d).
        { rewrite Nat2Z.inj_succ, <- Z.add_1_r, inject_Z_plus. unfold x. change (inject_Z 1) with 1. lra. }
        apply (one_more _ d (Qmax 0 (e - x)) D (Q.le_max_l _ _) G k); auto.
        + intros t J L. apply IH; auto. lia.
        + intros t J L. apply IHj; [exact J | lia].
        + apply Q.le_max_l.
        + assert (M := Q.le_max_r 0 (e - inject_Z (Z.of_nat (S j)) * d)).
          assert (N := Q.le_max_l 0 (e - inject_Z (Z.of_nat (S j)) * d)).
          destruct (Q.max_spec 0 (e - x)) as [[_ S] | [_ S]]; rewrite S; lra. }
    destruct (archimedes e d D) as [j J]. exists (j + n)%nat. intros m M s I K.
    replace m with ((m - n) + n)%nat by lia.
    assert (H := Shrinks (m - n)%nat s I ltac:(lia)).
    assert (F : inject_Z (Z.of_nat j) * d <= inject_Z (Z.of_nat (m - n)) * d).
    { apply Qmult_le_compat_r; [| lra]. rewrite <- Zle_Qle. lia. }
    assert (Z : Qmax 0 (e - inject_Z (Z.of_nat (m - n)) * d) == 0) by (apply Q.max_l; lra).
    unfold within in *. lra.
Qed.

(** From every starting valuation, the values of long enough games lie within the bounds. *)
Theorem bounds_hold : forall v, exists n, forall m, (n <= m)%nat ->
  forall s, In s states -> lower s <= steps m v s <= upper s.
Proof.
  intros v. set (k := S (fold_right Nat.max O (map layer states))).
  destruct (by_layers v k) as [n H]. exists n. intros m M s I.
  assert (L : (layer s < k)%nat).
  { unfold k. clear - I. induction states as [| t l IH]; [destruct I |].
    simpl. destruct I as [<- | I]; [lia | specialize (IH I); lia]. }
  specialize (H m M s I L). unfold within in H. lra.
Qed.

End Bounds.

(** The value of a state is the limit of the values of longer and longer games. *)
Definition value_from (v : valuation) (s : state) (x : Q) : Prop :=
  forall e, 0 < e -> exists n, forall m, (n <= m)%nat -> - e <= steps m v s - x <= e.

Lemma limit_between : forall v s a b x n,
  (forall m, (n <= m)%nat -> a <= steps m v s <= b) -> value_from v s x -> a <= x <= b.
Proof.
  intros v s a b x n H V.
  split; apply Qnot_lt_le; intro C.
  - destruct (V ((a - x) / 2)) as [k K]; [apply Qlt_shift_div_l; lra |].
    specialize (H (Nat.max n k) ltac:(lia)). specialize (K (Nat.max n k) ltac:(lia)).
    setoid_replace ((a - x) / 2) with ((1 # 2) * (a - x)) in K by field. lra.
  - destruct (V ((x - b) / 2)) as [k K]; [apply Qlt_shift_div_l; lra |].
    specialize (H (Nat.max n k) ltac:(lia)). specialize (K (Nat.max n k) ltac:(lia)).
    setoid_replace ((x - b) / 2) with ((1 # 2) * (x - b)) in K by field. lra.
Qed.

(** A solution of the optimality equation is a valuation that one step does not change. *)
Definition solution (v : valuation) : Prop := forall s, T v s == v s.

Lemma steps_of_solution : forall v, solution v -> forall n s, steps n v s == v s.
Proof.
  intros v V n. induction n as [| n IH]; intros s; simpl; [reflexivity |].
  assert (E := T_non_expansive (steps n v) v 0 (Qle_refl 0)).
  assert (H : - 0 <= T (steps n v) s - T v s <= 0) by (apply E; intros t; rewrite IH; lra).
  rewrite <- (V s). lra.
Qed.

End Game.
