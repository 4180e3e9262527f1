(** The bounds are secured by policies: a player who always takes an action that keeps to the bound gets at least the
    bound, whatever the opponent does. *)

From Coq Require Import QArith Lqa List Lia Bool.
From Proof Require Import Game.
Import ListNotations.
Open Scope Q_scope.

Section Policy.

Variable unit : positive.
Variable node_of : state -> option node.
Variable states : list state.
Variable layer : state -> nat.
Variables lower upper : valuation.

Hypothesis closed : forall s t, In s states -> follows node_of s t -> In t states /\ (layer t <= layer s)%nat.
Hypothesis proved : forall s, In s states ->
  exists n, node_of s = Some n /\ kept unit node_of layer lower upper s n.

(** * The game as one player sees it *)

(** We are one of the players. In the position [seen s true] the value of [s] is ours; in [seen s false] it is the
    opponent's and counts against us. In these positions no outcome changes the player. *)
Definition seen (s : state) (ours : bool) : state := if ours then xO s else xI s.

Definition outcome_seen (ours : bool) (o : outcome) : outcome :=
  Outcome (weight o) (if ours then reward o else - reward o)%Z true
    (match next o with
     | None => None
     | Some t => Some (seen t (if same_player o then ours else negb ours))
     end).

Definition action_seen (ours : bool) (a : action) : action :=
  (outcome_seen ours (fst a), map (outcome_seen ours) (snd a)).

Definition we_choose (ours : bool) (n : node) : bool := if ours then maximises n else negb (maximises n).

(** Our policy chooses an action in each position; the opponent has all actions. *)
Variable choice : state -> bool -> action.

Definition confined (s : state) (ours : bool) (n : node) : node :=
  Node (we_choose ours n)
    (if we_choose ours n
     then (action_seen ours (choice s ours), [])
     else (action_seen ours (fst (actions n)), map (action_seen ours) (snd (actions n)))).

Definition confined_at (x : state) : option node :=
  match x with
  | xO s => option_map (confined s true) (node_of s)
  | xI s => option_map (confined s false) (node_of s)
  | xH => None
  end.

(** The policy is secure: its actions are legal and keep to our bound. The certificate shows that there are some. *)
Definition secure (s : state) (ours : bool) (a : action) : Prop :=
  if ours then keeps_lower unit node_of layer lower upper s a else keeps_upper unit node_of layer lower upper s a.

Hypothesis policy : forall s n ours, In s states -> node_of s = Some n -> we_choose ours n = true ->
  In (choice s ours) (every (actions n)) /\ secure s ours (choice s ours).

(** * Proof *)

Lemma secure_exists : forall s n ours, In s states -> node_of s = Some n -> we_choose ours n = true ->
  exists a, In a (every (actions n)) /\ secure s ours a.
Proof.
  intros s n ours I N W. destruct (proved s I) as (n' & N' & K). rewrite N in N'. injection N' as <-.
  unfold kept, we_choose, secure in *. destruct ours, (maximises n); try discriminate; apply K.
Qed.

Definition low (x : state) : Q := match x with xO s => lower s | xI s => - upper s | xH => 0 end.
Definition high (x : state) : Q := match x with xO s => upper s | xI s => - lower s | xH => 0 end.
Definition layer_seen (x : state) : nat := match x with xO s | xI s => layer s | xH => O end.
Definition all_seen : list state := map (fun s => seen s true) states ++ map (fun s => seen s false) states.

Lemma in_all_seen : forall x, In x all_seen <-> exists s ours, x = seen s ours /\ In s states.
Proof.
  intros x. unfold all_seen. rewrite in_app_iff, !in_map_iff. split.
  - intros [(s & <- & I) | (s & <- & I)]; eauto.
  - intros (s & ours & -> & I). destruct ours; eauto.
Qed.

Lemma ahead_seen : forall o,
  ahead unit low high (outcome_seen true o) == 1 * ahead unit lower upper o /\
  ahead unit high low (outcome_seen true o) == 1 * ahead unit upper lower o /\
  ahead unit low high (outcome_seen false o) == - (1) * ahead unit upper lower o /\
  ahead unit high low (outcome_seen false o) == - (1) * ahead unit lower upper o.
Proof.
  intros o. unfold ahead, outcome_seen. cbn [weight reward same_player next].
  change ((- reward o)%Z # unit) with (- (reward o # unit)).
  destruct (next o) as [t |]; [destruct (same_player o) |]; simpl; repeat split; ring.
Qed.

Lemma every_seen : forall ours a, every (action_seen ours a) = map (outcome_seen ours) (every a).
Proof. intros ours [o l]. reflexivity. Qed.

Lemma expected_seen : forall ours v w v' w' k a,
  (forall o, ahead unit v w (outcome_seen ours o) == k * ahead unit v' w' o) ->
  expected unit v w (action_seen ours a) == k * expected unit v' w' a.
Proof.
  intros ours v w v' w' k a H. unfold expected, total. rewrite every_seen, !map_map.
  assert (S : sum (map (fun o => chance (outcome_seen ours o) * ahead unit v w (outcome_seen ours o)) (every a)) ==
              k * sum (map (fun o => chance o * ahead unit v' w' o) (every a))).
  { generalize (every a). induction l as [| o l IH]; simpl; [ring |].
    rewrite IH, H. change (chance (outcome_seen ours o)) with (chance o). ring. }
  rewrite S. change (map (fun o => chance (outcome_seen ours o)) (every a)) with (map chance (every a)).
  unfold Qdiv. ring.
Qed.

Lemma confined_seen : forall s ours, confined_at (seen s ours) = option_map (confined s ours) (node_of s).
Proof. intros s []; reflexivity. Qed.

Lemma confined_actions : forall s n ours a', In s states -> node_of s = Some n ->
  In a' (every (actions (confined s ours n))) -> exists a, In a (every (actions n)) /\ a' = action_seen ours a.
Proof.
  intros s n ours a' I N A. unfold confined in A. cbn [actions] in A.
  destruct (we_choose ours n) eqn:W.
  - destruct A as [<- | []]. exists (choice s ours). split; [apply (policy s n ours I N W) | reflexivity].
  - destruct A as [<- | A]; [exists (fst (actions n)); split; [left |]; reflexivity |].
    simpl in A. apply in_map_iff in A as (a & <- & A). exists a. split; [right; exact A | reflexivity].
Qed.

Lemma follows_seen : forall s ours y, In s states -> follows confined_at (seen s ours) y ->
  exists t whose, y = seen t whose /\ follows node_of s t.
Proof.
  intros s ours y I (n' & a' & o' & N' & A' & O' & X'). rewrite confined_seen in N'.
  destruct (node_of s) as [n |] eqn:N; [| discriminate]. injection N' as <-.
  destruct (confined_actions s n ours a' I N A') as (a & A & ->).
  rewrite every_seen in O'. apply in_map_iff in O' as (o & <- & O). unfold outcome_seen in X'. cbn [next] in X'.
  destruct (next o) as [t |] eqn:X; [| discriminate]. injection X' as <-.
  exists t, (if same_player o then ours else negb ours). split; [reflexivity |]. exists n, a, o. auto.
Qed.

Lemma layer_of_seen : forall s ours, layer_seen (seen s ours) = layer s.
Proof. intros s []; reflexivity. Qed.

Lemma under_seen : forall s ours x y x' y', In s states -> x' == x -> y' == y ->
  under node_of layer s x y -> under confined_at layer_seen (seen s ours) x' y'.
Proof.
  intros s ours x y x' y' I X Y [U | [R U]]; [left; lra | right]. split; [| lra].
  intros z F. destruct (follows_seen s ours z I F) as (t & whose & -> & G). rewrite !layer_of_seen. apply R, G.
Qed.

Notation upper' := (keeps_upper unit confined_at layer_seen low high).
Notation lower' := (keeps_lower unit confined_at layer_seen low high).

Lemma under_opp : forall s x y, under node_of layer s x y -> under node_of layer s (- (1) * y) (- (1) * x).
Proof. intros s x y [U | [R U]]; [left | right; split; [exact R |]]; lra. Qed.

Lemma keeps_seen : forall s a, In s states ->
  (keeps_upper unit node_of layer lower upper s a ->
     upper' (seen s true) (action_seen true a) /\ lower' (seen s false) (action_seen false a)) /\
  (keeps_lower unit node_of layer lower upper s a ->
     lower' (seen s true) (action_seen true a) /\ upper' (seen s false) (action_seen false a)).
Proof.
  intros s a I.
  assert (A := fun o => proj1 (ahead_seen o)). assert (B := fun o => proj1 (proj2 (ahead_seen o))).
  assert (C := fun o => proj1 (proj2 (proj2 (ahead_seen o)))).
  assert (D := fun o => proj2 (proj2 (proj2 (ahead_seen o)))).
  apply (expected_seen _ _ _ _ _ _ a) in A. apply (expected_seen _ _ _ _ _ _ a) in B.
  apply (expected_seen _ _ _ _ _ _ a) in C. apply (expected_seen _ _ _ _ _ _ a) in D.
  split; intros K; split; unfold keeps_upper, keeps_lower in *.
  2, 4: apply under_opp in K.
  all: eapply under_seen; [exact I | | | exact K]; cbn [low high seen]; rewrite ?A, ?B, ?C, ?D; ring.
Qed.

Lemma kept_seen : forall x, In x all_seen ->
  exists n, confined_at x = Some n /\ kept unit confined_at layer_seen low high x n.
Proof.
  intros x X. apply in_all_seen in X as (s & ours & -> & I).
  destruct (proved s I) as (n & N & K). exists (confined s ours n).
  split; [rewrite confined_seen, N; reflexivity |].
  assert (From := fun a' => confined_actions s n ours a' I N). assert (P := policy s n ours I N).
  assert (Into : we_choose ours n = true -> In (action_seen ours (choice s ours)) (every (actions (confined s ours n)))).
  { intros W. unfold confined. cbn [actions]. rewrite W. left. reflexivity. }
  assert (All : we_choose ours n = false -> forall a, In a (every (actions n)) ->
    In (action_seen ours a) (every (actions (confined s ours n)))).
  { intros W a A. unfold confined. cbn [actions]. rewrite W.
    destruct A as [<- | A]; [left; reflexivity | right; apply in_map; exact A]. }
  unfold kept in *. change (maximises (confined s ours n)) with (we_choose ours n).
  destruct ours; unfold we_choose, secure in *; destruct (maximises n); cbn [negb] in *; destruct K as [K1 K2].
  - destruct (P eq_refl) as [Legal Secure]. split.
    + intros a' A'. destruct (From a' A') as (a & A & ->). apply (keeps_seen s a I), K1, A.
    + eexists. split; [exact (Into eq_refl) | apply (keeps_seen s _ I), Secure].
  - destruct K1 as (a & A & K1). split.
    + exists (action_seen true a). split; [exact (All eq_refl a A) | apply (keeps_seen s a I), K1].
    + intros a' A'. destruct (From a' A') as (b & B & ->). apply (keeps_seen s b I), K2, B.
  - destruct K2 as (a & A & K2). split.
    + exists (action_seen false a). split; [exact (All eq_refl a A) | apply (keeps_seen s a I), K2].
    + intros a' A'. destruct (From a' A') as (b & B & ->). apply (keeps_seen s b I), K1, B.
  - destruct (P eq_refl) as [Legal Secure]. split.
    + intros a' A'. destruct (From a' A') as (a & A & ->). apply (keeps_seen s a I), K2, A.
    + eexists. split; [exact (Into eq_refl) | apply (keeps_seen s _ I), Secure].
Qed.

(** Against the best replies, and so against all, a secure policy earns at least the bound in all long enough games,
    whatever they pay where they are broken off. *)
Theorem policy_secures : forall v, exists n, forall m, (n <= m)%nat -> forall s, In s states ->
  lower s <= steps unit confined_at m v (seen s true) /\ - upper s <= steps unit confined_at m v (seen s false).
Proof.
  intros v. destruct (bounds_hold unit confined_at all_seen layer_seen low high) with (v := v) as [n H].
  - intros x y X F. apply in_all_seen in X as (s & ours & -> & I).
    destruct (follows_seen s ours y I F) as (t & whose & -> & G). destruct (closed s t I G) as [J Y].
    split; [apply in_all_seen; eauto | rewrite !layer_of_seen; exact Y].
  - exact kept_seen.
  - exists n. intros m M s I. split.
    + apply (H m M (seen s true)). apply in_all_seen. eauto.
    + apply (H m M (seen s false)). apply in_all_seen. eauto.
Qed.

End Policy.
